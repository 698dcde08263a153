package millrace.connectors.kudu.online;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.write.KeyedTables;
import millrace.connectors.kudu.write.KeyedTables.Partitions;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;

/// The table by which a run keeps others off its tables: it is there as long as the run is, and
/// Kudu makes it for one of two that want it. Kudu has no locks that end with a process, so a
/// killed run leaves it behind, and the refusal says how to remove it. One thread.
final class RunClaim {

  private static final String ID = "id";
  private static final String RUN = "run";
  private static final int BUCKETS = 2;

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ReadingTable.column(ID, new Type.Int(32)),
              ReadingTable.column(RUN, Type.Text.UNLIMITED)),
          List.of(ID));

  private final KuduCluster cluster;
  private final KeyedTables maker;
  private final String name;
  private boolean isOurs;

  /// @param name of the table, with its database
  RunClaim(KuduCluster cluster, KeyedTables maker, String name) {
    this.cluster = cluster;
    this.maker = maker;
    this.name = name;
  }

  /// Makes the table.
  ///
  /// @throws Fault.User if another run has made it
  void take(WindowScan scan, RowSender sender, KuduCalls calls) {
    KuduTable others = cluster.find(name, calls);
    if (others != null) {
      throw inUse(others, scan);
    }
    KuduTable table = maker.make(name, SCHEMA, new Partitions(List.of(ID), BUCKETS, null), calls);
    isOurs = true;
    String run =
        "process "
            + ProcessHandle.current().pid()
            + " since "
            + Instant.now().truncatedTo(ChronoUnit.SECONDS);
    sender.send(
        table,
        1,
        _ -> {
          Operation insert = table.newInsertIgnore();
          insert.getRow().addInt(ID, 1);
          insert.getRow().addString(RUN, run);
          return insert;
        });
  }

  private Fault.User inUse(KuduTable table, WindowScan scan) {
    String run =
        scan
            .<List<String>>read(
                new WindowScan.Request(table, List.of(RUN), List.of()),
                ArrayList::new,
                (into, row) -> into.add(row.getString(0)))
            .stream()
            .flatMap(List::stream)
            .collect(Collectors.joining(", "));
    return new Fault.User(
        cluster.address().label()
            + ": another online run works with these tables"
            + (run.isEmpty() ? "." : " (" + run + ")."),
        "Wait for it, or name another table in the target's URL. If it was killed, remove its"
            + " mark:\n"
            + "  kudu table delete "
            + String.join(",", cluster.address().masters())
            + " "
            + name);
  }

  /// Removes the table if this run has made it.
  void release(KuduCalls calls) {
    if (isOurs) {
      isOurs = false;
      maker.drop(name, calls);
    }
  }
}
