package millrace.connectors.file;

import java.nio.charset.StandardCharsets;
import millrace.data.Form;

/// The form in which raw records of a dialect cross: two ends that give the same signature read the
/// same values from the same bytes. Frames never hold a header or a byte order mark, and every
/// record in them has its line end.
final class CsvForm {

  /// The form's name; other systems that speak CSV use it with a signature of this spelling.
  static final String NAME = "csv";

  private CsvForm() {}

  /// The form of a dialect whose line end is known.
  ///
  /// What is usual is left out behind the charset, so that the plain dialect reads
  /// `delimiter=,;quote=";escape=";null=;newline=LF;header=false;charset=UTF-8`.
  static Form of(CsvDialect dialect) {
    StringBuilder text = new StringBuilder();
    text.append("delimiter=").append(dialect.delimiter());
    text.append(";quote=").append(dialect.quote());
    text.append(";escape=").append(dialect.escape());
    text.append(";null=").append(dialect.nullString());
    text.append(";newline=")
        .append(dialect.newline().text().equals("\n") ? "LF" : dialect.newline().label());
    text.append(";header=false;charset=").append(dialect.charset().name());
    if (dialect.quotedNull()) {
      text.append(";quoted-null=true");
    }
    if (dialect.trailingDelimiter()) {
      text.append(";trailing-delimiter=true");
    }
    if (dialect.lengthPrefix() > 0) {
      text.append(";length-prefix=").append(dialect.lengthPrefix());
    }
    CsvDialect.Temporal temporals = dialect.temporals();
    if (!temporals.equals(CsvDialect.Temporal.ISO)) {
      text.append(";date-format=").append(temporals.date());
      text.append(";time-format=").append(temporals.time());
      text.append(";timestamp-format=").append(temporals.timestamp());
    }
    if (dialect.quoting() != CsvDialect.Quoting.MINIMAL) {
      text.append(";quoting=").append(dialect.quoting().label());
    }
    return new Form(NAME, text.toString());
  }

  /// The plain dialect's form in UTF-8, for prices.
  static boolean isPlainUtf8(Form form) {
    return form.signature().endsWith(StandardCharsets.UTF_8.name());
  }
}
