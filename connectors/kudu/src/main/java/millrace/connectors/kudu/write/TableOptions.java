package millrace.connectors.kudu.write;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import millrace.connectors.kudu.read.ScanOptions;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.text.NameList;
import org.apache.kudu.ColumnSchema.CompressionAlgorithm;
import org.apache.kudu.ColumnSchema.Encoding;
import org.jspecify.annotations.Nullable;

/// What an endpoint says of how rows are written and tables are made.
///
/// @param write how rows are written
/// @param key names of a new table's key; empty if the source's key is it
/// @param partitions how a new table is cut; null if it is cut as usual
/// @param ahead how many ranges are kept in front of the latest row
/// @param replicas of a new table; 0 if nobody says
/// @param encodings by column
/// @param compressions by column; that of all others under an empty name
/// @param plainTimes whether times have no zone; null if each column tells
public record TableOptions(
    Operation write,
    List<String> key,
    @Nullable PartitionBy partitions,
    int ahead,
    int replicas,
    Map<String, Encoding> encodings,
    Map<String, CompressionAlgorithm> compressions,
    @Nullable Boolean plainTimes) {

  /// How a row is written.
  enum Operation {
    /// A key that is there is a bad record.
    INSERT,
    /// A key that is there is left as it is.
    INSERT_IGNORE,
    /// A key that is there is updated.
    UPSERT
  }

  public TableOptions {
    key = List.copyOf(key);
    encodings = Map.copyOf(encodings);
    compressions = Map.copyOf(compressions);
  }

  /// Reads them.
  ///
  /// @throws Fault.User if one is not understood
  public static TableOptions of(Endpoint endpoint) {
    return new TableOptions(
        operation(endpoint.text("write").orElse("insert")),
        endpoint
            .text("primary-key")
            .map(text -> NameList.parse("primary-key", text))
            .orElse(List.of()),
        endpoint.text("partition-by").map(PartitionBy::parse).orElse(null),
        ahead(endpoint.text("partition-ahead").orElse("0")),
        replicas(endpoint.text("replicas").orElse("0")),
        byColumn("encoding", endpoint, Encoding.class),
        byColumn("compression", endpoint, CompressionAlgorithm.class),
        ScanOptions.plainTimes(endpoint));
  }

  /// The same for a table that is cut like that, and whose key is its schema's.
  TableOptions cut(PartitionBy by) {
    return new TableOptions(
        write, List.of(), by, 0, replicas, encodings, compressions, Boolean.TRUE);
  }

  private static Operation operation(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "insert" -> Operation.INSERT;
      case "insert-ignore" -> Operation.INSERT_IGNORE;
      case "upsert" -> Operation.UPSERT;
      default ->
          throw new Fault.User(
              "write=" + text + " is none of insert, insert-ignore and upsert.", "");
    };
  }

  private static int ahead(String text) {
    if (!text.matches("\\d{1,3}")) {
      throw new Fault.User(
          "partition-ahead=" + text + " is no number of ranges.", "Write for example 24.");
    }
    return Integer.parseInt(text);
  }

  private static int replicas(String text) {
    if (!text.matches("\\d") || (!text.equals("0") && Integer.parseInt(text) % 2 == 0)) {
      throw new Fault.User(
          "replicas=" + text + " is no odd number up to 7.", "Kudu takes 1, 3, 5 or 7 replicas.");
    }
    return Integer.parseInt(text);
  }

  private static <E extends Enum<E>> Map<String, E> byColumn(
      String option, Endpoint endpoint, Class<E> type) {
    Map<String, E> found = new TreeMap<>();
    for (String part : endpoint.text(option).orElse("").split(",", -1)) {
      int colon = part.lastIndexOf(':');
      String name = colon < 0 ? "" : part.substring(0, colon).strip();
      if (!part.isBlank()) {
        found.put(name, value(option, part.substring(colon + 1).strip(), type));
      }
    }
    return found;
  }

  private static <E extends Enum<E>> E value(String option, String text, Class<E> type) {
    String wanted = text.toUpperCase(Locale.ROOT).replace('-', '_');
    for (E each : type.getEnumConstants()) {
      if (each.name().equals(wanted)
          || each.name().equals(wanted + "_ENCODING")
          || each.name().equals(wanted.replace("DICTIONARY", "DICT") + "_ENCODING")
          || each.name().equals(wanted.replace("BITSHUFFLE", "BIT_SHUFFLE"))) {
        return each;
      }
    }
    throw new Fault.User(
        option + ": Kudu knows no " + text + ".",
        "It knows " + List.of(type.getEnumConstants()).toString().toLowerCase(Locale.ROOT) + ".");
  }

  /// The name of a table without its database.
  public static String bareName(String table) {
    return table.substring(table.lastIndexOf('.') + 1);
  }

  /// The name of another table in the same database.
  public static String beside(String table, String name) {
    return table.substring(0, table.lastIndexOf('.') + 1) + name;
  }
}
