package millrace.connectors.kudu.write;

import java.util.Objects;
import java.util.UUID;
import millrace.connectors.kudu.Calls;
import millrace.connectors.kudu.KuduCluster;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// A table that is being written: itself, or another one that takes its name at the end.
final class KuduWriteSession implements WriteSession, Recoverable {

  private final KuduCluster cluster;
  private final Calls calls;
  private final LoadPlan plan;
  private final @Nullable KuduTable there;
  private final String name;
  private final String stagedName;
  private @Nullable KuduTable table;
  private boolean written;
  private boolean emptied;
  private boolean made;

  /// @param calls the target's own, which its cancel ends
  /// @param there the table of that name; null if there is none
  KuduWriteSession(KuduCluster cluster, Calls calls, LoadPlan plan, @Nullable KuduTable there) {
    this.cluster = cluster;
    this.calls = calls;
    this.plan = plan;
    this.there = there;
    name = cluster.address().table();
    stagedName = name + "_millrace_" + UUID.randomUUID().toString().substring(0, 8);
  }

  /// Makes ready what rows are written to.
  void begin() {
    NewTable make = plan.make();
    if (make != null) {
      table = make.make(plan.staged() ? stagedName : name, cluster.client(), calls);
      made = true;
      return;
    }
    KuduTable existing = Objects.requireNonNull(there, "a table that rows go into");
    table = existing;
    if (plan.mode() == Mode.TRUNCATE) {
      emptied = true;
      new Emptying(cluster.client(), existing, calls).run();
    }
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    written = true;
    KuduTable into = Objects.requireNonNull(table, "made ready");
    return new KuduWriter(cluster, into, plan, context);
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    if (plan.staged()) {
      swap();
    }
    return Completed.PLAIN;
  }

  /// Kudu renames one table at a time: for a moment there is none of that name.
  private void swap() {
    String old = name + "_millrace_old_" + UUID.randomUUID().toString().substring(0, 8);
    if (there != null) {
      rename(name, old);
    }
    rename(stagedName, name);
    made = false;
    if (there != null) {
      calls.get(() -> cluster.client().deleteTable(old, 0));
    }
  }

  private void rename(String from, String to) {
    calls.get(() -> cluster.client().alterTable(from, new AlterTableOptions().renameTable(to)));
  }

  @Override
  public boolean leavesRows() {
    return written && !plan.staged();
  }

  @Override
  public Aborted abort(boolean keep) {
    Aborted aborted = Aborted.CLEAN;
    if (made && plan.staged()) {
      made = false;
      try {
        // The target's own calls may have been cancelled.
        Calls undoing = new Calls(cluster.address().label());
        undoing.get(() -> cluster.client().deleteTable(stagedName, 0));
      } catch (Fault e) {
        aborted =
            aborted.failing(
                new Fault.External(
                    stagedName
                        + " could not be deleted and holds what was copied: "
                        + e.clause()
                        + ".",
                    "Delete it.",
                    e));
      }
    }
    return aborted.leaving(leaves());
  }

  private String leaves() {
    String before =
        emptied ? cluster.address().label() + " was emptied first: what it held is gone. " : "";
    String after =
        leavesRows() ? "Rows that were on their way may be in the table already, and stay." : "";
    return (before + after).strip();
  }

  @Override
  public void close() {
    // The client is the target's.
  }
}
