package millrace.connectors.oracle;

import java.util.List;
import java.util.Locale;
import millrace.connectors.oracle.catalog.SplitBy;
import millrace.connectors.sql.Dialect.EmptyText;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import org.jspecify.annotations.Nullable;

/// How a table is written, as the user says.
///
/// @param longTexts whether new columns of text without a length are CLOBs
/// @param emptyText what becomes of empty text, which Oracle takes for a missing value
/// @param method how rows are sent
/// @param rebuildsIndexes whether streams leave indexes behind, which are rebuilt at the end
/// @param disablesRules whether what streams do not check is disabled until all rows are there:
///   foreign keys, checks and triggers
/// @param partition the only one that is written to; empty if rows go where they belong
public record OracleOptions(
    boolean longTexts,
    EmptyText emptyText,
    Method method,
    boolean rebuildsIndexes,
    boolean disablesRules,
    String partition) {

  /// How rows are sent.
  public enum Method {
    /// Array inserts.
    NORMAL,
    /// Array inserts into new blocks, by one session.
    DIRECT,
    /// The driver's direct path streams.
    NATIVE,
    /// Direct inserts if nothing keeps them from it and rows are not few, else array inserts.
    AUTO
  }

  /// What nobody has said.
  static final OracleOptions USUAL =
      new OracleOptions(false, EmptyText.MISSING, Method.NORMAL, false, false, "");

  /// The method of streams on a server that nobody has confirmed, for the check of a server alone.
  static final String TRIAL = "native-trial";

  private static final String SPLIT_BY = "split-by";
  private static final String PARTITION = "partition";

  static final List<Option> OPTIONS =
      List.of(
          Option.source(
              SPLIT_BY,
              "hash: lanes read a view, or a table organized by its index, by ranges of ORA_HASH,"
                  + " only for views that give the same rows whenever they are read as of one"
                  + " moment. partition: each partition of a table is read as a whole.",
              "partition"),
          Option.source(
              ScnSnapshot.NUMBER,
              "Reads the table as it was at that system change number.",
              "8470211"),
          Option.target(
              "method",
              "How rows are sent: normal (array inserts, the default), direct (inserts into new"
                  + " blocks, by one session), native (streams by an internal interface of the"
                  + " driver), or auto (normal, or direct if rows are not few).",
              "native"),
          Option.target(
              "text-as",
              "How new columns of text without a length are declared: varchar2 (4,000 bytes, the"
                  + " default) or clob.",
              "clob"),
          Option.target(
              "empty-text",
              "What becomes of empty text, which Oracle takes for a missing value: null (the"
                  + " default, and the report counts it) or error.",
              "error"),
          Option.target(
              "indexes",
              "With --method native, whether streams keep indexes up to date (keep, the default),"
                  + " or leave them behind to be rebuilt at the end (rebuild).",
              "rebuild"),
          Option.target(
              "constraints",
              "What becomes of foreign keys, checks and triggers that --method native or direct"
                  + " does not heed: keep (the default: the table is refused) or disable (until all"
                  + " rows are in it).",
              "disable"),
          Option.target(
              PARTITION,
              "With --method native or direct, the only partition that is written"
                  + " to, and locked.",
              "P2026"));

  /// @throws Fault.User if an end that is read names a single partition: all of the table would
  ///   come
  static void checkSource(Endpoint endpoint) {
    if (endpoint.text(PARTITION).isPresent()) {
      throw new Fault.User(
          "A single partition is written, and not read by itself: partition="
              + endpoint.text(PARTITION).get()
              + ".",
          "Read it by a query: --query 'SELECT * FROM … PARTITION (…)'. Or read the table by all of"
              + " its partitions: --split-by partition.");
    }
  }

  /// By what rows are cut for lanes.
  static SplitBy splitBy(Endpoint endpoint) {
    return endpoint.text(SPLIT_BY).isEmpty()
        ? SplitBy.USUAL
        : SplitBy.valueOf(oneOf(endpoint, SPLIT_BY, "hash", "partition").toUpperCase(Locale.ROOT));
  }

  static OracleOptions of(Endpoint endpoint) {
    OracleOptions options = read(endpoint);
    if (options.method == Method.NORMAL) {
      for (String name : List.of("indexes", "constraints", PARTITION)) {
        if (!endpoint.text(name).orElse("keep").equals("keep")) {
          throw new Fault.User(
              "--" + name + " is for direct path alone.",
              "Add --method native or --method direct, or leave it out.");
        }
      }
    }
    if (options.method == Method.AUTO && !options.partition.isEmpty()) {
      throw new Fault.User(
          "--method auto may insert rows, and then into any partition.", "Use --method native.");
    }
    if (options.disablesRules && !options.partition.isEmpty()) {
      throw new Fault.User(
          "--constraints disable is for the whole table, and --partition for a part of it, beside"
              + " which others may load other parts.",
          "Disable them before the first copy, and enable them behind the last: ALTER TABLE …"
              + " DISABLE CONSTRAINT …");
    }
    if (options.method != Method.NATIVE && options.rebuildsIndexes) {
      throw new Fault.User(
          "Direct inserts keep indexes up to date.",
          "Use --method native, or leave --indexes out.");
    }
    return options;
  }

  /// The partition as the database spells it; null if none is named.
  public @Nullable String partition(Names names) {
    return partition.isEmpty() ? null : TableName.parse(partition, names, "").name();
  }

  static boolean isTrial(Endpoint endpoint) {
    return endpoint.text("method").orElse("").equals(TRIAL);
  }

  private static OracleOptions read(Endpoint endpoint) {
    return new OracleOptions(
        oneOf(endpoint, "text-as", "varchar2", "clob").equals("clob"),
        oneOf(endpoint, "empty-text", "null", "error").equals("error")
            ? EmptyText.REFUSED
            : EmptyText.MISSING,
        isTrial(endpoint)
            ? Method.NATIVE
            : Method.valueOf(
                oneOf(endpoint, "method", "normal", "direct", "native", "auto")
                    .toUpperCase(Locale.ROOT)),
        oneOf(endpoint, "indexes", "keep", "rebuild").equals("rebuild"),
        oneOf(endpoint, "constraints", "keep", "disable").equals("disable"),
        endpoint.text(PARTITION).orElse(""));
  }

  /// @param values the first counts if nobody names one
  private static String oneOf(Endpoint endpoint, String name, String... values) {
    List<String> known = List.of(values);
    String value = endpoint.text(name).orElse(known.getFirst());
    if (!known.contains(value)) {
      throw new Fault.User(
          "There is no " + name + "=" + value.replaceAll("\\p{Cntrl}", "?") + ".",
          (Nearest.hint(value, known) + " It is one of " + String.join(", ", known) + ".").strip());
    }
    return value;
  }
}
