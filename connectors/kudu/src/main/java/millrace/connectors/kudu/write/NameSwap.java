package millrace.connectors.kudu.write;

import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.fault.Fault;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// Gives a staged table the name of the target, and deletes the one that had it. Kudu renames one
/// table at a time: for a moment there is none of that name. It may be run again if it was cut off.
///
/// @param staging the staged table's name
/// @param into its id
/// @param before the id of the table that has the target's name; null if there is none
record NameSwap(KuduCluster cluster, String staging, String into, @Nullable String before) {

  /// @throws Fault.User if another table has the target's name by now
  void run(KuduCalls calls) {
    String name = cluster.address().table();
    String old = staging + "_old";
    KuduTable now = cluster.find(calls);
    if (now == null || !now.getTableId().equals(into)) {
      if (now != null) {
        if (!now.getTableId().equals(before)) {
          throw new Fault.User(
              name + " was made by somebody else meanwhile.",
              "What was copied is in " + staging + ": rename it, or copy again.");
        }
        rename(name, old, calls);
      }
      rename(staging, name, calls);
    }
    if (before != null && cluster.find(old, calls) != null) {
      calls.get(() -> cluster.client().deleteTable(old, 0));
    }
  }

  private void rename(String from, String to, KuduCalls calls) {
    calls.get(() -> cluster.client().alterTable(from, new AlterTableOptions().renameTable(to)));
  }
}
