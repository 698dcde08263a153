package millrace.connectors.oracle;

import java.util.List;
import millrace.connectors.sql.Dialect.EmptyText;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Option;

/// How a table is written, as the user says.
///
/// @param longTexts whether new columns of text without a length are CLOBs
/// @param emptyText what becomes of empty text, which Oracle takes for a missing value
record OracleOptions(boolean longTexts, EmptyText emptyText) {

  /// What nobody has said.
  static final OracleOptions USUAL = new OracleOptions(false, EmptyText.MISSING);

  static final List<Option> OPTIONS =
      List.of(
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
            : EmptyText.MISSING);
  }

  private static String oneOf(Endpoint endpoint, String name, String usual, String other) {
    String value = endpoint.text(name).orElse(usual);
    if (!value.equals(usual) && !value.equals(other)) {
      throw new Fault.User(
          "There is no " + name + "=" + value.replaceAll("\\p{Cntrl}", "?") + ".",
          "It is " + usual + " or " + other + ".");
    }
    return value;
  }
}
