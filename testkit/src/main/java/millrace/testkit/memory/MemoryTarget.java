package millrace.testkit.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import millrace.testkit.Row;
import org.jspecify.annotations.Nullable;

/// Writes a table in memory, in every mode. Its writers hand over whole splits, from any thread.
final class MemoryTarget implements Target {

  private final Map<String, MemoryTable> tables;
  private final Endpoint endpoint;
  private final String name;
  private final WriteOptions writeOptions;
  private final Map<Integer, List<Row>> staged = new TreeMap<>();
  private @Nullable WritePlan writePlan;
  private @Nullable MergeCounts mergeCounts;
  private Schema schema = Schema.of(List.of());

  /// For each of the table's columns the one of the rows written, or -1.
  private List<Integer> pairs = List.of();

  MemoryTarget(Map<String, MemoryTable> tables, Endpoint endpoint, WriteOptions writeOptions) {
    this.tables = tables;
    this.endpoint = endpoint;
    this.name = endpoint.location();
    this.writeOptions = writeOptions;
  }

  @Override
  public TargetDescription describe() {
    MemoryTable table = tables.get(name);
    boolean anew =
        writeOptions.mode() == Mode.CREATE
            || (writeOptions.mode() == Mode.REPLACE && !writeOptions.mayKeepTypes());
    return TargetDescription.of(endpoint.label(), table == null || anew ? null : table.schema())
        .withLanes(MemoryConnector.lanes(endpoint));
  }

  @Override
  public WritePlan fit(Schema incoming) {
    MemoryTable table = tables.get(name);
    Mode mode = mode(table);
    Schema written;
    if (table == null || mode == Mode.REPLACE) {
      schema = new Schema(bare(incoming), incoming.key());
      written = schema;
    } else {
      schema = table.schema();
      written = existing(incoming, schema);
    }
    pairs = pairs(written);
    if (mode == Mode.MERGE) {
      checkKey(written);
    }
    writePlan = new WritePlan(written, mode, "", List.of());
    return writePlan;
  }

  private Mode mode(@Nullable MemoryTable table) {
    Mode mode = writeOptions.mode();
    if (mode == null) {
      if (table != null && !table.rows().isEmpty()) {
        throw new Fault.User(
            endpoint.label() + " holds rows already.",
            "Say what becomes of them: --mode append, truncate, replace or merge.");
      }
      return table == null ? Mode.CREATE : Mode.APPEND;
    }
    if (mode == Mode.CREATE && table != null) {
      throw new Fault.User(
          endpoint.label() + " exists already.", "Use --mode append, truncate, replace or merge.");
    }
    return mode;
  }

  private static List<Column> bare(Schema incoming) {
    return incoming.columns().stream()
        .map(column -> new Column(column.name(), column.type(), column.nullable(), null))
        .toList();
  }

  /// The incoming columns under the names and types of those that they are paired with.
  private Schema existing(Schema incoming, Schema table) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < incoming.width(); i++) {
      Column column = incoming.column(i);
      int position = writeOptions.byPosition() ? i : table.indexOf(column.name());
      if (position < 0 || position >= table.width()) {
        throw new Fault.User(
            endpoint.label() + " has no column for '" + column.name() + "'.",
            "Its columns are " + String.join(", ", table.names()) + ".");
      }
      columns.add(table.column(position));
    }
    for (Column column : table.columns()) {
      if (!column.nullable() && !columns.contains(column)) {
        throw new Fault.User(
            "Column '" + column.name() + "' of " + endpoint.label() + " gets no values.",
            "It may not be empty: let the source give it.");
      }
    }
    return Schema.of(columns);
  }

  private List<Integer> pairs(Schema written) {
    return schema.names().stream().map(written::indexOf).toList();
  }

  private void checkKey(Schema written) {
    if (key().isEmpty()) {
      throw new Fault.User(
          endpoint.label() + " has no key to merge by.", "Name its columns with --key.");
    }
    for (String column : key()) {
      if (written.indexOf(column) < 0) {
        throw new Fault.User(
            "Key column '" + column + "' gets no values.", "Merging needs the whole key.");
      }
    }
  }

  private List<String> key() {
    return writeOptions.key().isEmpty() ? schema.key() : writeOptions.key();
  }

  @Override
  public void begin(int lanes) {
    if (staging()) {
      return;
    }
    if (settled().mode() == Mode.TRUNCATE || !tables.containsKey(name)) {
      tables.put(name, new MemoryTable(schema, List.of()));
    }
  }

  private WritePlan settled() {
    if (writePlan == null) {
      throw new IllegalStateException("begin before fit");
    }
    return writePlan;
  }

  /// Whether the rows appear all at once.
  boolean staging() {
    return switch (settled().mode()) {
      case CREATE, REPLACE, MERGE -> true;
      case APPEND, TRUNCATE -> writeOptions.atomic();
    };
  }

  @Override
  public @Nullable MergeCounts merged() {
    return mergeCounts;
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new MemoryWriter(this, settled().schema(), context);
  }

  /// Takes the rows of a split.
  synchronized void take(int split, List<Row> written) {
    List<Row> rows = new ArrayList<>();
    for (Row row : written) {
      List<@Nullable Object> values = new ArrayList<>();
      pairs.forEach(column -> values.add(column < 0 ? null : row.value(column)));
      rows.add(new Row(values));
    }
    if (staging()) {
      staged.put(split, rows);
    } else {
      add(rows);
    }
  }

  private void add(List<Row> more) {
    List<Row> rows = new ArrayList<>(existingRows());
    rows.addAll(more);
    tables.put(name, new MemoryTable(schema, rows));
  }

  private List<Row> existingRows() {
    MemoryTable table = tables.get(name);
    return table == null ? List.of() : table.rows();
  }

  @Override
  public synchronized void complete(PhaseTimer steps) {
    if (!staging()) {
      return;
    }
    List<Row> rows = new ArrayList<>();
    staged.values().forEach(rows::addAll);
    staged.clear();
    switch (settled().mode()) {
      case CREATE, REPLACE, TRUNCATE -> tables.put(name, new MemoryTable(schema, rows));
      case APPEND -> add(rows);
      case MERGE -> tables.put(name, new MemoryTable(schema, merged(rows)));
    }
  }

  /// What is there with the rows in the place of those that have their keys; the last of a key
  /// wins. Columns that the source does not give keep their values.
  private List<Row> merged(List<Row> rows) {
    List<Integer> key = key().stream().map(schema::indexOf).toList();
    Map<Row, Row> byKey = new LinkedHashMap<>();
    existingRows().forEach(row -> byKey.put(row.pick(key), row));
    Map<Row, Row> before = Map.copyOf(byKey);
    rows.forEach(row -> byKey.merge(row.pick(key), row, this::updated));
    Set<Row> keys = rows.stream().map(row -> row.pick(key)).collect(Collectors.toSet());
    long old = keys.stream().filter(before::containsKey).count();
    long same =
        keys.stream().filter(each -> Objects.equals(byKey.get(each), before.get(each))).count();
    mergeCounts = new MergeCounts(keys.size() - old, old - same, same, rows.size() - keys.size());
    return new ArrayList<>(byKey.values());
  }

  private Row updated(Row old, Row written) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      values.add(pairs.get(i) < 0 ? old.value(i) : written.value(i));
    }
    return new Row(values);
  }

  @Override
  public synchronized void abandon() {
    staged.clear();
  }

  @Override
  public void close() {
    // The tables are on the heap.
  }
}
