package millrace.connectors.file.csv;

import millrace.data.Form;
import millrace.data.spelling.SpellingStyle;
import org.jspecify.annotations.Nullable;

/// The form in which raw records of a dialect cross: two ends that give the same signature read the
/// same values from the same bytes. Frames never hold a header or a byte order mark, and every
/// record in them has its line end.
public final class CsvForm {

  /// The form's name; other systems that speak CSV use it with a signature of this spelling.
  static final String NAME = "csv";

  /// The form's name if an escape protects what has a meaning, and not quotes.
  private static final String ESCAPED = "escaped-text";

  private CsvForm() {}

  /// The form of a dialect whose line end is known.
  ///
  /// What is usual is left out behind the charset, so that the plain dialect reads
  /// `delimiter=,;quote=";escape=";null=;newline=LF;header=false;charset=UTF-8`.
  public static Form of(CsvDialect dialect) {
    StringBuilder text = new StringBuilder();
    text.append("delimiter=").append(dialect.delimiter());
    text.append(";quote=").append(dialect.quotes().quote());
    text.append(";escape=").append(dialect.quotes().escape());
    text.append(";null=").append(dialect.nulls().text());
    text.append(";newline=")
        .append(
            dialect.framing().newline().text().equals("\n")
                ? "LF"
                : dialect.framing().newline().label());
    text.append(";header=false;charset=").append(dialect.charset().name());
    if (dialect.nulls().quoted()) {
      text.append(";quoted-null=true");
    }
    if (dialect.framing().trailingDelimiter()) {
      text.append(";trailing-delimiter=true");
    }
    if (dialect.framing().lengthPrefix() > 0) {
      text.append(";length-prefix=").append(dialect.framing().lengthPrefix());
    }
    SpellingStyle temporals = dialect.temporals();
    append(text, ";date-format=", temporals.dateFormat());
    append(text, ";time-format=", temporals.timeFormat());
    append(text, ";timestamp-format=", temporals.timestampFormat());
    if (dialect.quotes().quoting() != CsvDialect.Quoting.MINIMAL) {
      text.append(";quoting=").append(dialect.quotes().quoting().label());
    }
    return new Form(dialect.escapes() ? ESCAPED : NAME, text.toString());
  }

  private static void append(StringBuilder text, String name, @Nullable String value) {
    if (value != null) {
      text.append(name).append(value);
    }
  }
}
