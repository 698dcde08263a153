package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.text.NameList;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.ColumnSchema.CompressionAlgorithm;
import org.apache.kudu.ColumnSchema.Encoding;
import org.apache.kudu.Schema;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.PartitionSchema;

/// The definition of a table that is replaced: what the new one takes over, and what it loses.
///
/// @param options what the user says of the new one
record OldDefinition(KuduTable old, TableOptions options) {

  /// The user's options, and what they leave open as it is in the old table; unless the key is to
  /// be another.
  TableOptions taken(millrace.data.Schema incoming) {
    List<String> key = key(old.getSchema());
    boolean sameKey =
        options.key().isEmpty()
            && (incoming.key().isEmpty() || incoming.key().equals(key))
            && old.getSchema().isPrimaryKeyUnique()
            && incoming.names().containsAll(key);
    if (!sameKey) {
      return options;
    }
    Map<String, Encoding> encodings = new TreeMap<>();
    Map<String, CompressionAlgorithm> compressions = new TreeMap<>();
    for (ColumnSchema column : old.getSchema().getColumns()) {
      encodings.put(column.getName(), encoding(column));
      if (!options.compressions().containsKey("")) {
        compressions.put(column.getName(), compression(column));
      }
    }
    encodings.putAll(options.encodings());
    compressions.putAll(options.compressions());
    return new TableOptions(
        options.write(),
        key,
        options.partitions() == null && !hasRanges()
            ? new PartitionBy(hashes(), List.of())
            : options.partitions(),
        options.ahead(),
        options.replicas() == 0 ? old.getNumReplicas() : options.replicas(),
        encodings,
        compressions,
        options.plainTimes());
  }

  /// Refuses to lose anything.
  ///
  /// @param label the table, for errors
  /// @throws Fault.User if something would be lost
  void keep(String label, TableLayout make) {
    List<String> lost = lost(make);
    if (!lost.isEmpty()) {
      throw new Fault.User(
          label + " can't be replaced as it is: its " + String.join(", ", lost) + " would be lost.",
          "--mode truncate keeps the table. --primary-key, --partition-by, --replicas, --encoding"
              + " and --compression say how the new one is to be; --types source gives the rest"
              + " up.");
    }
  }

  /// What the new table does not have, in words, but for what the user's own options say.
  List<String> lost(TableLayout make) {
    List<String> lost = new ArrayList<>();
    List<String> key = key(old.getSchema());
    boolean sameKey =
        key.equals(key(make.schema())) && old.getSchema().isPrimaryKeyUnique() == make.uniqueKey();
    if (options.key().isEmpty() && !sameKey) {
      lost.add("primary key (" + NameList.spelled(key, ", ") + ")");
    }
    if (options.partitions() == null && (hasRanges() || !hashes().equals(make.hashes()))) {
      lost.add("partitions");
    }
    if (options.replicas() == 0 && old.getNumReplicas() != make.replicas()) {
      lost.add(old.getNumReplicas() + " replicas");
    }
    old.getSchema().getColumns().stream()
        .filter(column -> !column.isAutoIncrementing())
        .forEach(column -> lost.addAll(lostOf(column, make.schema())));
    return lost;
  }

  /// The key's columns that rows bring.
  static List<String> key(Schema schema) {
    return schema.getPrimaryKeyColumns().stream()
        .filter(column -> !column.isAutoIncrementing())
        .map(ColumnSchema::getName)
        .toList();
  }

  private boolean hasRanges() {
    return !old.getPartitionSchema().getRangeSchema().getColumnIds().isEmpty();
  }

  private List<PartitionBy.Hash> hashes() {
    return old.getPartitionSchema().getHashBucketSchemas().stream().map(this::hash).toList();
  }

  private PartitionBy.Hash hash(PartitionSchema.HashBucketSchema hash) {
    Schema schema = old.getSchema();
    List<String> columns =
        hash.getColumnIds().stream()
            .map(id -> schema.getColumnByIndex(schema.getColumnIndex(id)).getName())
            .toList();
    return new PartitionBy.Hash(columns, hash.getNumBuckets());
  }

  private static Encoding encoding(ColumnSchema column) {
    return Objects.requireNonNullElse(column.getEncoding(), Encoding.AUTO_ENCODING);
  }

  private static CompressionAlgorithm compression(ColumnSchema column) {
    return Objects.requireNonNullElse(
        column.getCompressionAlgorithm(), CompressionAlgorithm.DEFAULT_COMPRESSION);
  }

  private List<String> lostOf(ColumnSchema column, Schema made) {
    String name = column.getName();
    ColumnSchema other = made.hasColumn(name) ? made.getColumn(name) : plain(column);
    List<String> lost = new ArrayList<>();
    if (!column.isNullable() && !column.isKey() && other.isNullable()) {
      lost.add("not null");
    }
    if (column.getDefaultValue() != null) {
      lost.add("default");
    }
    if (!column.getComment().isEmpty()) {
      lost.add("comment");
    }
    if (!options.encodings().containsKey(name) && encoding(column) != encoding(other)) {
      lost.add("encoding");
    }
    boolean isGiven =
        Stream.of(name, "").anyMatch(each -> options.compressions().containsKey(each));
    if (!isGiven && compression(column) != compression(other)) {
      lost.add("compression");
    }
    return lost.stream().map(what -> what + " of " + NameList.spelled(List.of(name), "")).toList();
  }

  /// The column as it would be made if nobody said anything of it.
  private static ColumnSchema plain(ColumnSchema column) {
    return new ColumnSchema.ColumnSchemaBuilder(column.getName(), column.getType())
        .typeAttributes(column.getTypeAttributes())
        .nullable(true)
        .compressionAlgorithm(TableLayout.usualCompression(column.getType()))
        .build();
  }
}
