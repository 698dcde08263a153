package millrace.testkit.memory;

import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.spi.Endpoint;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;

/// A table in memory that can be written, in every mode.
final class MemoryTarget implements Target {

  private final Map<String, MemoryTable> tables;
  private final Endpoint endpoint;
  private final String name;
  private final WriteOptions writeOptions;

  MemoryTarget(Map<String, MemoryTable> tables, Endpoint endpoint, WriteOptions writeOptions) {
    this.tables = tables;
    this.endpoint = endpoint;
    this.name = endpoint.location();
    this.writeOptions = writeOptions;
  }

  @Override
  public DescribedTarget describe() {
    MemoryTable table = tables.get(name);
    TargetDescription description =
        TargetDescription.of(endpoint.label(), table == null ? State.ABSENT : State.THERE)
            .withColumns(
                table == null
                    ? List.of()
                    : table.schema().columns().stream()
                        .map(column -> TargetColumn.of(column, false))
                        .toList())
            .withKey(table == null ? List.of() : table.schema().key())
            .withLanes(MemoryConnector.lanes(endpoint));
    return DescribedTarget.of(description, table != null && !table.rows().isEmpty(), this::plan);
  }

  private PlannedTarget plan(WriteRequest request) {
    MemoryTable table = tables.get(name);
    Schema incoming = request.incoming();
    Schema written;
    Schema schema;
    if (table == null || request.partners().isEmpty()) {
      schema = new Schema(bare(incoming), incoming.key());
      written = schema;
    } else {
      schema = table.schema();
      written = Schema.of(request.partners().stream().map(TargetColumn::column).toList());
    }
    return new Planned(
        new WritePlan(written, request.mode(), "", request.notes()), schema, request.key());
  }

  private static List<Column> bare(Schema incoming) {
    return incoming.columns().stream()
        .map(column -> new Column(column.name(), column.type(), column.nullable(), null))
        .toList();
  }

  /// The table's columns, and those that are written.
  private final class Planned implements PlannedTarget {

    private final WritePlan plan;
    private final Schema schema;
    private final List<String> key;

    Planned(WritePlan plan, Schema schema, List<String> key) {
      this.plan = plan;
      this.schema = schema;
      this.key = key;
    }

    @Override
    public WritePlan plan() {
      return plan;
    }

    @Override
    public WriteSession open(WriteStart start) {
      return opened(plan, schema, key);
    }
  }

  private WriteSession opened(WritePlan plan, Schema schema, List<String> merged) {
    boolean staging =
        switch (plan.mode()) {
          case CREATE, REPLACE, MERGE -> true;
          case APPEND, TRUNCATE -> writeOptions.atomic();
        };
    if (!staging && (plan.mode() == Mode.TRUNCATE || !tables.containsKey(name))) {
      tables.put(name, new MemoryTable(schema, List.of()));
    }
    // For each of the table's columns the one of the rows written, or -1.
    List<Integer> pairs = schema.names().stream().map(plan.schema()::indexOf).toList();
    List<Integer> key = merged.stream().map(schema::indexOf).toList();
    MemoryWriteSession session =
        new MemoryWriteSession(tables, name, plan, schema, pairs, key, staging);
    session.commitEvery(MemoryConnector.count(endpoint, MemoryConnector.RECEIPTS, 0));
    return session;
  }

  @Override
  public void close() {
    // The tables are on the heap.
  }
}
