package millrace.connectors.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Row;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.Utf8;
import org.jspecify.annotations.Nullable;

/// SQLite's types and ours, in both directions.
///
/// To SQLite a declaration is only a wish. It stores a text in a column of integers, and it turns
/// the text `1e3` into the number 1000 in a column of most other names. So each value is set as
/// what it is to stay, and one that SQLite would change is refused.
final class SqliteTypes {

  /// The name under which columns carry SQLite's declarations.
  static final String SYSTEM = "sqlite";

  /// Stands for a column that holds text and would make numbers of it.
  static final String TEXT_AMONG_NUMBERS = "TEXT AMONG NUMBERS";

  /// Stands for a column whose numbers and texts are read as text.
  static final String ANY_AS_TEXT = "ANY AS TEXT";

  /// So many digits come back from a binary number of 64 bits, whatever they are.
  private static final int DIGITS_IN_REAL = 15;

  /// What SQLite takes for a number, blanks around it included.
  private static final Pattern NUMBER =
      Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*");

  private static final Cell NUMERIC = Cells.DECIMAL.setting(SqliteTypes::numericSetter);
  private static final Cell SPELLED = Cells.SPELLED.asText();
  private static final Cell TEXT =
      new Cell(SqliteTypes::textGetter, Cells.TEXT.setter(), Types.VARCHAR);
  private static final Cell LOOSE = TEXT.setting(_ -> SqliteTypes::setLoose);

  /// A key of one whole number is best declared INTEGER: it is the rowid then.
  static final TypeTable TABLE =
      new TypeTable(
          SYSTEM,
          withTimes(
              Row.of("BOOL(EAN)?", new Type.Bool(), Cells.BOOLEAN),
              Row.of("TINYINT|SMALLINT|INT2", new Type.Int(16), Cells.INTEGER),
              Row.of("MEDIUMINT|INT4", new Type.Int(32), Cells.INTEGER),
              Row.of("FLOAT4", new Type.Float(32), Cells.REAL),
              Row.of("DECIMAL_TEXT", Type.Decimal::new, SPELLED),
              Row.of("DECIMAL|NUMERIC|NUMBER|MONEY", Type.Decimal::new, NUMERIC),
              Row.of("DATE", new Type.Date(), SPELLED),
              Row.of("TIME", new Type.Time(), SPELLED),
              Row.of("DATETIME|TIMESTAMP", new Type.Timestamp(false), SPELLED),
              Row.of("TIMESTAMPTZ|TIMESTAMP WITH TIME ZONE", new Type.Timestamp(true), SPELLED),
              Row.of("UUID|GUID", new Type.Uuid(), SPELLED),
              Row.of("JSON_TEXT", new Type.Json(), Cells.documents(TEXT)),
              Row.of("JSON", new Type.Json(), Cells.documents(LOOSE)),
              Row.of(TEXT_AMONG_NUMBERS, Type.Text.UNLIMITED, LOOSE),
              Row.of(
                  ANY_AS_TEXT,
                  Type.Text.UNLIMITED,
                  new Cell(SqliteTypes::anyGetter, Cells.TEXT.setter(), Types.VARCHAR, false)),
              // From here on it is SQLite's own rule, which looks for parts of names.
              Row.of(".*INT.*", new Type.Int(64), Cells.INTEGER),
              Row.of(".*(CHAR|CLOB|TEXT).*", Type.Text.UNLIMITED, TEXT),
              Row.of(".*BLOB.*", new Type.Bytes(), Cells.BYTES),
              Row.of(".*(REAL|FLOA|DOUB).*", new Type.Float(64), Cells.REAL),
              Row.of(".*", Type.Text.UNLIMITED, LOOSE)),
          SqliteTypes::declaration);

  private SqliteTypes() {}

  /// The table with the rows for times that are held as numbers in front.
  private static List<Row> withTimes(Row... rows) {
    return Stream.concat(SqliteTimes.rows(), Arrays.stream(rows)).toList();
  }

  /// The declaration of a new column. Its name decides what SQLite does to a text: one with TEXT in
  /// it keeps all digits of a number, and a date is no number under any name.
  static String declaration(Type type) {
    return switch (type) {
      case Type.Bool _ -> "BOOLEAN";
      case Type.Int(int bits) -> bits == 16 ? "SMALLINT" : bits == 32 ? "INT4" : "INTEGER";
      case Type.Float(int bits) -> bits == 32 ? "FLOAT4" : "REAL";
      case Type.Decimal(int precision, int scale) -> {
        String digits = precision == 0 ? "" : "(" + precision + "," + scale + ")";
        boolean fits = precision > 0 && precision <= DIGITS_IN_REAL && scale >= 0;
        yield (fits && scale <= precision ? "DECIMAL" : "DECIMAL_TEXT") + digits;
      }
      case Type.Date _ -> "DATE";
      case Type.Time _ -> "TIME";
      case Type.Timestamp(boolean zoned) -> zoned ? "TIMESTAMPTZ" : "TIMESTAMP";
      case Type.Uuid _ -> "UUID";
      case Type.Json _ -> "JSON_TEXT";
      case Type.Bytes _ -> "BLOB";
      case Type.Text(int lengthMax, _) -> lengthMax == 0 ? "TEXT" : "VARCHAR(" + lengthMax + ")";
      case Type.Opaque _ -> "TEXT";
    };
  }

  /// What SQLite makes of a text that looks like a number, by the name of the column's type.
  private enum Affinity {
    NUMBER,
    TEXT,
    NONE
  }

  /// SQLite looks for parts of the whole name, numbers in parentheses included.
  private static Affinity affinity(String declared) {
    String name = declared.toUpperCase(Locale.ROOT);
    return name.contains("INT")
        ? Affinity.NUMBER
        : name.matches("(?s).*(CHAR|CLOB|TEXT).*")
            ? Affinity.TEXT
            : name.isEmpty() || name.contains("BLOB") ? Affinity.NONE : Affinity.NUMBER;
  }

  /// Whether the declaration alone says what a column holds; else its values are looked at. Some
  /// name in parentheses may be what SQLite goes by, and not by the one in front of it.
  static boolean says(String declared) {
    return !declared.isEmpty()
        && TABLE.rowOf(declared) < TABLE.rows().size() - 1
        && affinity(declared) == affinity(TypeTable.bare(declared));
  }

  /// How the table above is to know a column by the classes of the values in it.
  static String byValues(String declared, Set<String> held) {
    boolean isFree = affinity(declared) == Affinity.NONE;
    held.remove("null");
    return switch (String.join(" ", held)) {
      case "integer" -> "INTEGER";
      case "real" -> isFree ? "REAL" : "NUMERIC";
      case "integer real" -> "NUMERIC";
      case "blob" -> "BLOB";
      default -> isFree ? "TEXT" : TEXT_AMONG_NUMBERS;
    };
  }

  /// A whole number is stored as one, any other as a binary number, if that gives all of its digits
  /// back.
  private static Setter numericSetter(Type type) {
    return (statement, parameter, from, at) -> {
      BigDecimal value = Cells.decimal((Type.Decimal) type, from, at);
      if (value == null) {
        return "would not be stored as a number";
      }
      BigDecimal bare = value.stripTrailingZeros();
      if (bare.scale() <= 0 && bare.precision() - bare.scale() <= 18) {
        statement.setLong(parameter, bare.longValueExact());
        return null;
      }
      double real = bare.doubleValue();
      if (Double.isInfinite(real) || new BigDecimal(Double.toString(real)).compareTo(bare) != 0) {
        return "would lose digits";
      }
      statement.setDouble(parameter, real);
      return null;
    };
  }

  private static @Nullable String setLoose(
      RowParameters statement, int parameter, Vector from, int at) throws SQLException {
    String text = ((BytesVector) from).text(at);
    // SQLite looks for a number as far as the first NUL, and cuts off the rest.
    int end = text.indexOf('\0');
    if (NUMBER.matcher(end < 0 ? text : text.substring(0, end)).matches()) {
      return "would be stored as a number";
    }
    statement.setString(parameter, text);
    return null;
  }

  /// Numbers as the digits that give them back, without an exponent if they are whole.
  private static TypeTable.Getter anyGetter(Type type) {
    TypeTable.Getter texts = textGetter(type);
    Type real = new Type.Float(64);
    DoubleVector one = new DoubleVector(1);
    return (value, row, column, into, at) ->
        switch (value) {
          case Double number -> {
            one.values[0] = number;
            yield texts.get(Spelling.text(real, one, 0), row, column, into, at);
          }
          case Number number -> texts.get(number.toString(), row, column, into, at);
          case Object other -> texts.get(other, row, column, into, at);
        };
  }

  /// The driver puts U+FFFD in the place of what is no UTF-8.
  private static TypeTable.Getter textGetter(Type type) {
    TypeTable.Getter getter = Cells.TEXT.getter().apply(type);
    return (value, row, column, into, at) -> {
      if (value instanceof String text && text.indexOf('\uFFFD') >= 0) {
        byte[] stored = row.getBytes(column);
        boolean isUtf8 = new String(stored, UTF_8).equals(text);
        if (isUtf8 && Utf8.firstInvalid(stored, 0, stored.length) >= 0) {
          return "holds " + Cells.shown(text) + " with bytes that are no UTF-8";
        }
      }
      return getter.get(value, row, column, into, at);
    };
  }
}
