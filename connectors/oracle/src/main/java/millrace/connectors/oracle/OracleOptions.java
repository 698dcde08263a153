package millrace.connectors.oracle;

import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.Dialect.EmptyText;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.Option;

/// How a table is written, as the user says.
///
/// @param longTexts whether new columns of text without a length are CLOBs
/// @param emptyText what becomes of empty text, which Oracle takes for a missing value
/// @param method how rows are sent
record OracleOptions(boolean longTexts, EmptyText emptyText, Method method) {

  /// How rows are sent.
  enum Method {
    /// Array inserts.
    NORMAL,
    /// Array inserts into new blocks, by one session.
    DIRECT,
    /// The driver's direct path streams.
    NATIVE,
    /// Streams if nothing of the table or its types keeps them from it, else array inserts.
    AUTO
  }

  /// What nobody has said.
  static final OracleOptions USUAL = new OracleOptions(false, EmptyText.MISSING, Method.NORMAL);

  static final List<Option> OPTIONS =
      List.of(
          Option.target(
              "method",
              "How rows are sent: normal (array inserts, the default), direct (inserts into new"
                  + " blocks, by one session), native (direct path streams), or auto.",
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
              "error"));

  static OracleOptions of(Endpoint endpoint) {
    return new OracleOptions(
        oneOf(endpoint, "text-as", "varchar2", "clob").equals("clob"),
        oneOf(endpoint, "empty-text", "null", "error").equals("error")
            ? EmptyText.REFUSED
            : EmptyText.MISSING,
        Method.valueOf(
            oneOf(endpoint, "method", "normal", "direct", "native", "auto")
                .toUpperCase(Locale.ROOT)));
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
