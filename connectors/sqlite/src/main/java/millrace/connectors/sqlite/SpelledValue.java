package millrace.connectors.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import millrace.connectors.sql.types.Cells;
import millrace.data.BytesVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import org.sqlite.Function;

/// A function of SQL that gives one spelling for all texts that mean one value of a type. What is
/// no text, or none of the type, it gives back as it is.
///
/// Its arguments are the value and the declaration of its column. One connection, and so one thread
/// at a time, calls it.
final class SpelledValue extends Function {

  private static final int TEXT = 3;
  private static final int INTEGER = 1;
  private static final int REAL = 2;
  private static final int BLOB = 4;

  private final Map<String, Reader> readers = new HashMap<>();

  /// Reads texts of a type.
  private record Reader(Type type, ValueParser parser, Vector vector) {

    private static Reader of(String declared) {
      Type found = SqliteTypes.TABLE.find(declared).type();
      Type type = found instanceof Type.Decimal ? Type.Decimal.UNLIMITED : found;
      return new Reader(type, Spelling.parser(type, SpellingStyle.ISO), Vector.of(type, 1));
    }

    private String value(String text) {
      vector.nulls[0] = false;
      if (vector instanceof BytesVector texts) {
        texts.reset();
      }
      byte[] bytes = text.getBytes(UTF_8);
      if (!parser.parse(bytes, 0, bytes.length, vector, 0)) {
        return text;
      }
      if (type instanceof Type.Decimal decimal) {
        BigDecimal number = Cells.decimal(decimal, vector, 0);
        // With an exponent: plain digits may be a million zeros.
        return number == null ? text : number.stripTrailingZeros().toString();
      }
      return Spelling.text(type, vector, 0);
    }
  }

  @Override
  protected void xFunc() throws SQLException {
    switch (value_type(0)) {
      case TEXT -> result(readers.computeIfAbsent(value_text(1), Reader::of).value(value_text(0)));
      case INTEGER -> result(value_long(0));
      case REAL -> result(value_double(0));
      case BLOB -> result(value_blob(0));
      default -> result();
    }
  }
}
