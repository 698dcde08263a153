package millrace.testkit.memory;

import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.Endpoint;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.Landing.Place;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;

/// A table in memory that can be written, in every mode.
final class MemoryTarget implements Target {

  private final Map<String, MemoryTable> tables;
  private final Endpoint endpoint;
  private final String name;

  MemoryTarget(Map<String, MemoryTable> tables, Endpoint endpoint) {
    this.tables = tables;
    this.endpoint = endpoint;
    this.name = endpoint.location();
  }

  @Override
  public DescribedTarget describe() {
    MemoryTable table = tables.get(name);
    TargetDescription description =
        TargetDescription.of(endpoint.label(), table == null ? State.ABSENT : State.THERE)
            .with(
                endpoint.label(),
                table == null
                    ? List.of()
                    : table.schema().columns().stream()
                        .map(column -> TargetColumn.of(column, false))
                        .toList(),
                table == null ? List.of() : table.schema().key())
            .withLanes(MemoryConnector.lanes(endpoint))
            .landing(
                Landing.Offer.into(Landing.Commits.PARTS)
                    .staging(Landing.Commits.PARTS, Place.SWAP, Place.INSERT, Place.MERGE)
                    .choosingSteps());
    return DescribedTarget.of(description, table != null && !table.rows().isEmpty(), this::plan);
  }

  private PlannedTarget plan(WriteRequest request) {
    MemoryTable table = tables.get(name);
    Schema incoming = request.incoming();
    Schema made = new Schema(bare(incoming), incoming.key());
    Schema schema = table == null || request.partners().isEmpty() ? made : table.schema();
    Schema written =
        request.partners().isEmpty()
            ? made
            : Schema.of(request.partners().stream().map(TargetColumn::column).toList());
    WritePlan plan = new WritePlan(written, request.mode(), "", request.notes(), List.of());
    return PlannedTarget.ofColumns(
        plan, Form.USUAL_COLUMNS_COST, _ -> opened(plan, schema, request.landing()));
  }

  private static List<Column> bare(Schema incoming) {
    return incoming.columns().stream()
        .map(column -> new Column(column.name(), column.type(), column.nullable(), null))
        .toList();
  }

  private WriteSession opened(WritePlan plan, Schema schema, Landing landing) {
    boolean staging = landing.staged();
    if (!staging && (plan.mode() == Mode.TRUNCATE || !tables.containsKey(name))) {
      tables.put(name, new MemoryTable(schema, List.of()));
    }
    // For each of the table's columns the one of the rows written, or -1.
    List<Integer> pairs = schema.names().stream().map(plan.schema()::indexOf).toList();
    List<Integer> key = landing.key().stream().map(schema::indexOf).toList();
    MemoryWriteSession session =
        new MemoryWriteSession(tables, name, plan, schema, pairs, key, landing);
    session.commitEvery(MemoryConnector.count(endpoint, MemoryConnector.RECEIPTS, 0));
    return session;
  }

  @Override
  public void close() {
    // The tables are on the heap.
  }
}
