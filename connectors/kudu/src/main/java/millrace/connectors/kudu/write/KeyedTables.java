package millrace.connectors.kudu.write;

import java.util.List;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.RangePartitionBound;
import org.jspecify.annotations.Nullable;

/// Makes and removes tables that no copy asks for. Any thread.
public final class KeyedTables {

  private static final PartitionBy.Width SECOND = new PartitionBy.Width(1, "second");

  private final KuduCluster cluster;
  private final TableOptions options;

  /// How a table is cut.
  ///
  /// @param columns of the key, by whose hash it is cut
  /// @param buckets into how many; no hash if 1
  /// @param rangeColumn of unixtime_micros, by which it is cut into ranges that are added later;
  ///   null if it has none
  public record Partitions(List<String> columns, int buckets, @Nullable String rangeColumn) {

    public Partitions {
      columns = List.copyOf(columns);
    }
  }

  /// @param endpoint may say how many replicas tables have, and how columns are encoded
  /// @throws Fault.User if an option is not understood
  public KeyedTables(KuduCluster cluster, Endpoint endpoint) {
    this.cluster = cluster;
    options = TableOptions.of(endpoint);
  }

  /// Makes a table. One that goes by ranges has none at first, so it takes no rows yet.
  ///
  /// @param schema with a key
  /// @throws Fault.User if Kudu has no such table, or there is one
  public KuduTable make(String name, Schema schema, Partitions partitions, KuduCalls calls) {
    List<PartitionBy.Hash> hashes =
        partitions.buckets() == 1
            ? List.of()
            : List.of(new PartitionBy.Hash(partitions.columns(), partitions.buckets()));
    int servers = calls.get(() -> cluster.client().listTabletServers()).getTabletServersCount();
    String label = cluster.address().withTable(name).label();
    TableLayout plan =
        TableLayout.plan(label, schema, options.cut(new PartitionBy(hashes, List.of())), servers);
    String column = partitions.rangeColumn();
    if (column == null) {
      return plan.make(name, cluster.client(), calls);
    }
    // Kudu makes one range without bounds if none is named: so one is made, and dropped.
    RangeSteps first = new RangeSteps(plan.schema().getColumn(column), SECOND, 0, 1, List.of());
    KuduTable table = plan.withRanges(first).make(name, cluster.client(), calls);
    PartialRow from = first.row(0, table.getSchema());
    PartialRow to = first.row(1, table.getSchema());
    calls.get(() ->
        cluster
            .client()
            .alterTable(
                name,
                new AlterTableOptions()
                    .dropRangePartition(
                        from,
                        to,
                        RangePartitionBound.INCLUSIVE_BOUND,
                        RangePartitionBound.EXCLUSIVE_BOUND)));
    return table;
  }

  /// Removes a table if it is there.
  public void drop(String name, KuduCalls calls) {
    calls.get(() -> {
      try {
        return cluster.client().deleteTable(name, 0);
      } catch (KuduException e) {
        if (e.getStatus().isNotFound()) {
          return null;
        }
        throw e;
      }
    });
  }
}
