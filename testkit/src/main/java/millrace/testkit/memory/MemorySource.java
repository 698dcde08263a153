package millrace.testkit.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.testkit.Row;
import org.jspecify.annotations.Nullable;

/// A table as it was when the source was opened.
final class MemorySource implements Source {

  /// What a value is taken to hold, in bytes; only splits by size and rates go by it.
  static final long VALUE_BYTES = 10;

  private final Endpoint endpoint;
  private final Schema schema;
  private final int conditionColumns;
  private final List<Row> rows = new ArrayList<>();

  MemorySource(Map<String, MemoryTable> tables, Endpoint endpoint, Selection selection) {
    this.endpoint = endpoint;
    MemoryTable table = tables.get(endpoint.location());
    if (table == null) {
      throw new Fault.User(
          "There is no table " + endpoint.label() + ".",
          Nearest.hint(endpoint.location(), tables.keySet()));
    }
    List<Integer> columns =
        Selection.positions(endpoint.label(), selection.columnsToRead(), table.schema().names());
    conditionColumns = selection.conditionColumns();
    schema = selected(table.schema(), columns);
    table.rows().forEach(row -> rows.add(row.pick(columns)));
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    boolean guesses = endpoint.flag(MemoryConnector.GUESSES, false);
    return columnRequest instanceof ColumnRequest.Like(Schema like, boolean _) && guesses
        ? new Described(
            Schema.of(schema.columns().stream().map(column -> like(column, like)).toList()))
        : new Described(schema);
  }

  private static Column like(Column guessed, Schema like) {
    int at = Selection.position(guessed.name(), like.names());
    if (at < 0) {
      return guessed;
    }
    Column wanted = like.column(at);
    return new Column(guessed.name(), wanted.type(), wanted.nullable(), wanted.declared());
  }

  /// The rows, with the types that are wanted of them.
  private final class Described implements DescribedSource {

    private final Schema described;

    Described(Schema described) {
      this.described = described;
    }

    @Override
    public SourceDescription description() {
      return SourceDescription.of(endpoint.label(), described)
          .withConditionColumns(conditionColumns)
          .withSize(rows.size(), rows.size() * rowBytes(), true)
          .withLanes(MemoryConnector.lanes(endpoint));
    }

    /// The rows themselves are what tells.
    @Override
    public SourceIdentity identity() {
      return SourceIdentity.of(
          endpoint.label(),
          Integer.toHexString(rows.hashCode()) + " of " + rows.size(),
          List.of(endpoint.label()));
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return new Session(described, plan.splitBytes());
    }
  }

  private final class Session implements ReadSession {

    private final Schema read;
    private final long splitBytes;

    Session(Schema read, long splitBytes) {
      this.read = read;
      this.splitBytes = splitBytes;
    }

    @Override
    public Splits splits() {
      int requested = Math.clamp(splitBytes / rowBytes(), 1, Integer.MAX_VALUE);
      int size = MemoryConnector.count(endpoint, "split-rows", requested);
      return new Splits() {
        private int index;
        private long from;

        @Override
        public @Nullable Split next() {
          if (from >= rows.size()) {
            return null;
          }
          long to = Math.min(rows.size(), from + size);
          Split split = new Split(index++, endpoint.label(), from, to, from + 1, 0);
          from = to;
          return split;
        }
      };
    }

    @Override
    public Reader reader(ReadContext context) {
      int requested =
          context.readUnit() == null ? 1_000 : Math.toIntExact(context.readUnit().rows(rowBytes()));
      return new MemoryReader(read, rows, MemoryConnector.count(endpoint, "batch-rows", requested));
    }

    @Override
    public void close() {
      // The rows are on the heap.
    }
  }

  @Override
  public void close() {
    // The rows are on the heap.
  }

  private long rowBytes() {
    return schema.width() * VALUE_BYTES;
  }

  private static Schema selected(Schema table, List<Integer> positions) {
    List<Column> columns = positions.stream().map(table::column).toList();
    boolean keeps = columns.stream().map(Column::name).toList().containsAll(table.key());
    return new Schema(columns, keeps ? table.key() : List.of());
  }
}
