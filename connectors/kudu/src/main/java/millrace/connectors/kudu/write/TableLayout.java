package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduTypes;
import millrace.data.Column;
import millrace.fault.Fault;
import millrace.text.NameList;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.ColumnSchema.CompressionAlgorithm;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// A table that is to be made: its columns in Kudu's order, which has the key first, and how it is
/// cut.
///
/// @param uniqueKey whether the key tells rows apart; else Kudu adds a number to it
/// @param hashes buckets by hash
/// @param ranges in their order; none or more
/// @param replicas how many
/// @param tabletsMax how many tablets the table may have when it is made
record TableLayout(
    Schema schema,
    boolean uniqueKey,
    List<PartitionBy.Hash> hashes,
    List<RangeSteps> ranges,
    int replicas,
    long tabletsMax) {

  /// A server takes so many tablets of a new table (--max_create_tablets_per_ts); later ones come
  /// one by one.
  private static final long TABLETS_PER_SERVER = 60;

  private static final int REPLICAS = 3;

  /// So many ranges are added by one request to the master.
  static final int RANGES_AT_ONCE = 50;

  /// Plans a table.
  ///
  /// @param servers how many tablet servers there are
  /// @throws Fault.User if Kudu has no such table
  static TableLayout plan(
      String label, millrace.data.Schema incoming, TableOptions options, int servers) {
    List<String> named = options.key().isEmpty() ? incoming.key() : options.key();
    List<String> key = named.isEmpty() ? notEmpty(label, incoming) : named;
    List<ColumnSchema> columns = new ArrayList<>();
    for (String name : key) {
      columns.add(column(keyColumn(label, incoming, name), true, !named.isEmpty(), options));
    }
    incoming.columns().stream()
        .filter(column -> !key.contains(column.name()))
        .forEach(column -> columns.add(column(column, false, true, options)));
    Schema schema = new Schema(columns);
    PartitionBy by = options.partitions();
    List<PartitionBy.Hash> hashes =
        by == null ? List.of(new PartitionBy.Hash(key, Math.max(2, 2 * servers))) : by.hashes();
    List<PartitionBy.Range> ranges = by == null ? List.of() : by.ranges();
    checkKey(label, key, by);
    int replicas = options.replicas() > 0 ? options.replicas() : servers >= REPLICAS ? REPLICAS : 1;
    return new TableLayout(
        schema,
        !named.isEmpty(),
        hashes,
        ranges.stream()
            .map(range -> RangeSteps.of(range, schema.getColumn(range.column())))
            .toList(),
        replicas,
        Math.max(1, TABLETS_PER_SERVER * servers / replicas));
  }

  /// Kudu needs a key. Without one that tells rows apart, it goes by the first column that is never
  /// empty, and numbers the rows.
  private static List<String> notEmpty(String label, millrace.data.Schema incoming) {
    return incoming.columns().stream()
        .filter(column -> !column.nullable() && mayBeKey(KuduTypes.make(column, false).build()))
        .map(Column::name)
        .findFirst()
        .map(List::of)
        .orElseThrow(() ->
            new Fault.User(
                label + ": a table of Kudu needs a primary key, and the source has none.",
                "Name its columns, such as --primary-key "
                    + NameList.spelled(List.of(incoming.column(0).name()), ",")
                    + ". It has "
                    + NameList.spelled(incoming.names(), ", ")
                    + "."));
  }

  private static boolean mayBeKey(ColumnSchema column) {
    return switch (column.getType()) {
      case BOOL, FLOAT, DOUBLE -> false;
      default -> true;
    };
  }

  private static Column keyColumn(String label, millrace.data.Schema incoming, String name) {
    int index = incoming.indexOf(name);
    if (index < 0) {
      throw new Fault.User(
          label + ": the key's column \"" + name + "\" does not come from the source.",
          "It brings " + NameList.spelled(incoming.names(), ", ") + ".");
    }
    Column column = incoming.column(index);
    if (!mayBeKey(KuduTypes.make(column, false).build())) {
      throw new Fault.User(
          label
              + ": column \""
              + name
              + "\" is "
              + KuduTypes.declarationFor(column)
              + ", which can't be part of a key.",
          "Name other columns with --primary-key.");
    }
    return column;
  }

  private static void checkKey(String label, List<String> key, @Nullable PartitionBy by) {
    if (by == null) {
      return;
    }
    Stream<String> used =
        Stream.concat(
            Stream.concat(
                    by.hashes().stream(),
                    by.ranges().stream().flatMap(range -> range.hashes().stream()))
                .flatMap(hash -> hash.columns().stream()),
            by.ranges().stream().map(PartitionBy.Range::column));
    used.filter(name -> !key.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new Fault.User(
              label + ": --partition-by names \"" + name + "\", which is no column of the key.",
              "The key is " + NameList.spelled(key, ", ") + "; --primary-key names another.");
        });
  }

  private static ColumnSchema column(
      Column column, boolean key, boolean unique, TableOptions options) {
    ColumnSchema.ColumnSchemaBuilder builder = KuduTypes.make(column, key && unique);
    if (key && !unique) {
      builder.nonUniqueKey(true).nullable(false);
    }
    CompressionAlgorithm compression =
        options.compressions().getOrDefault(column.name(), options.compressions().get(""));
    builder.compressionAlgorithm(
        compression != null ? compression : usualCompression(builder.build().getType()));
    if (options.encodings().containsKey(column.name())) {
      builder.encoding(options.encodings().get(column.name()));
    }
    return builder.build();
  }

  /// How values of that type are compressed if nobody says.
  static CompressionAlgorithm usualCompression(Type type) {
    return type == Type.STRING || type == Type.BINARY
        ? CompressionAlgorithm.LZ4
        : CompressionAlgorithm.DEFAULT_COMPRESSION;
  }

  /// The same, cut into ranges too.
  TableLayout withRanges(RangeSteps steps) {
    return new TableLayout(schema, uniqueKey, hashes, List.of(steps), replicas, tabletsMax);
  }

  /// Makes it.
  KuduTable make(String name, KuduClient client, KuduCalls calls) {
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(replicas);
    hashes.forEach(hash -> options.addHashPartitions(hash.columns(), hash.buckets()));
    options.setRangePartitionColumns(
        ranges.stream().limit(1).map(steps -> steps.column().getName()).toList());
    List<Range> all =
        ranges.stream()
            .flatMap(
                steps -> LongStream.range(0, steps.firstCount()).mapToObj(i -> new Range(steps, i)))
            .toList();
    int first = 0;
    long tablets = 0;
    for (Range range : all) {
      tablets += buckets(range.steps);
      if (first > 0 && tablets > tabletsMax) {
        break;
      }
      range.steps.add(range.index, schema, options);
      first++;
    }
    KuduTable table = calls.get(() -> client.createTable(name, schema, options));
    for (int from = first; from < all.size(); from += RANGES_AT_ONCE) {
      List<Range> some = all.subList(from, Math.min(all.size(), from + RANGES_AT_ONCE));
      addRanges(table, some, client, calls);
    }
    return table;
  }

  /// One range of a table.
  record Range(RangeSteps steps, long index) {}

  /// Adds ranges to a table.
  static void addRanges(KuduTable table, List<Range> ranges, KuduClient client, KuduCalls calls) {
    AlterTableOptions alter = new AlterTableOptions();
    ranges.forEach(range -> range.steps.add(range.index, table.getSchema(), alter));
    calls.get(() -> client.alterTable(table.getName(), alter));
  }

  /// The ranges that go on if rows need more of them; null if there are none.
  @Nullable RangeSteps growing() {
    return ranges.isEmpty() ? null : ranges.getLast();
  }

  /// How many tablets the table has when it is made.
  long tablets() {
    return ranges.isEmpty()
        ? buckets(hashes)
        : ranges.stream().mapToLong(steps -> steps.firstCount() * buckets(steps)).sum();
  }

  private long buckets(RangeSteps steps) {
    return buckets(steps.hashes().isEmpty() ? hashes : steps.hashes());
  }

  private static long buckets(List<PartitionBy.Hash> hashes) {
    return hashes.stream().mapToLong(PartitionBy.Hash::buckets).reduce(1, Math::multiplyExact);
  }

  /// As a statement that a user can read; Impala's words.
  String ddl(String name) {
    List<String> parts = new ArrayList<>();
    for (ColumnSchema column : schema.getColumns()) {
      parts.add(
          column.getName()
              + " "
              + KuduTypes.declaration(column)
              + (column.isNullable() ? "" : " not null"));
    }
    List<String> key = schema.getPrimaryKeyColumns().stream().map(ColumnSchema::getName).toList();
    parts.add(
        (uniqueKey ? "primary key (" : "non unique primary key (") + String.join(", ", key) + ")");
    List<String> cuts = new ArrayList<>();
    hashes.forEach(hash -> cuts.add(spelled(hash)));
    for (RangeSteps steps : ranges) {
      cuts.add(
          "range ("
              + steps.column().getName()
              + ") of "
              + steps.width().label()
              + " from "
              + steps.shown(steps.first())
              + (steps.count() < 0 ? "" : " to " + steps.shown(steps.bound(steps.count())))
              + (steps.hashes().isEmpty()
                  ? ""
                  : " with "
                      + String.join(
                          " and ", steps.hashes().stream().map(TableLayout::spelled).toList())));
    }
    return "create table "
        + name
        + " ("
        + String.join(", ", parts)
        + ")"
        + (cuts.isEmpty() ? "" : " partition by " + String.join(", ", cuts))
        + " stored as kudu tblproperties ('kudu.num_tablet_replicas' = '"
        + replicas
        + "')";
  }

  private static String spelled(PartitionBy.Hash hash) {
    return "hash (" + String.join(", ", hash.columns()) + ") partitions " + hash.buckets();
  }
}
