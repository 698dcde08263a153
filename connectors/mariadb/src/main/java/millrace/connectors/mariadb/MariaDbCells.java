package millrace.connectors.mariadb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.BytesVector;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import org.jspecify.annotations.Nullable;

/// How the values of MariaDB and MySQL are got and set.
final class MariaDbCells {

  /// Text, also of types that the driver has objects of its own for.
  static final Cell TEXT =
      new Cell(_ -> MariaDbCells::text, Cells.TEXT.setter(), Types.VARCHAR, true);

  /// The same of columns whose values the server sends as text: the driver has its bytes, and makes
  /// no string of them. All sessions speak UTF-8.
  static final Cell PLAIN_TEXT =
      TEXT.getting(
          ResultSet::getBytes,
          _ ->
              (value, _, _, into, at) -> {
                byte[] bytes = (byte[]) value;
                ((BytesVector) into).append(at, bytes, 0, bytes.length);
                return null;
              });

  /// JSON documents. The driver calls MySQL's bytes.
  static final Cell JSON = Cells.documents(TEXT);

  /// The same of MySQL, which keeps what they say. MariaDB keeps their text.
  static final Cell SPELLED_ANEW =
      new Cell(
          JSON.getter(),
          _ -> new MySqlDocuments(),
          JSON.nullType(),
          JSON.compares(),
          JSON.comparing(),
          JSON.fetch());

  /// Days and times, as the text that the server makes of them. All sessions are in UTC, so that a
  /// TIMESTAMP is spelled without a zone. The driver takes '0000-00-00' for NULL.
  static final Cell TIMES =
      new Cell(
              MariaDbCells::times,
              type -> Cells.SPELLED.setter().apply(unzoned(type)),
              Types.VARCHAR,
              true)
          .getting(ResultSet::getString, MariaDbCells::times);

  private MariaDbCells() {}

  private static Type unzoned(Type type) {
    return type instanceof Type.Timestamp ? new Type.Timestamp(false) : type;
  }

  private static Getter times(Type type) {
    ValueParser parser = Spelling.parser(unzoned(type), SpellingStyle.ISO);
    return (value, _, _, into, at) -> {
      byte[] bytes = ((String) value).getBytes(UTF_8);
      return parser.parse(bytes, 0, bytes.length, into, at) ? null : "holds " + Cells.shown(value);
    };
  }

  private static @Nullable String text(Object value, ResultSet row, int column, Vector into, int at)
      throws SQLException {
    String text = value instanceof String given ? given : row.getString(column);
    byte[] bytes = text.getBytes(UTF_8);
    ((BytesVector) into).append(at, bytes, 0, bytes.length);
    return null;
  }

  /// A column BIT(n): truth if it is one bit, else the number that the bits spell.
  static Cell bits(String declared) {
    int count = Math.max(1, ColumnBounds.number(declared, 0, 1));
    return new Cell(MariaDbCells::bitsGetter, MariaDbCells::bitsSetter, Types.BIGINT)
        .checked(ColumnBounds.unsigned(count));
  }

  /// A column that is no BIT may be read as truth: numbers do then as well.
  private static Getter bitsGetter(Type type) {
    return (value, row, column, into, at) -> {
      Object number = value instanceof byte[] bits ? new BigInteger(1, bits) : value;
      if (type instanceof Type.Decimal) {
        return Cells.DECIMAL.getter().apply(type).get(number, row, column, into, at);
      }
      long bits =
          switch (number) {
            case Boolean truth -> truth ? 1 : 0;
            case Number whole -> whole.longValue();
            case Object _ -> -1;
          };
      if (type instanceof Type.Bool && bits != 0 && bits != 1) {
        return "holds " + Cells.shown(number);
      }
      ((LongVector) into).values[at] = bits;
      return null;
    };
  }

  private static Setter bitsSetter(Type type) {
    return type instanceof Type.Decimal
        ? Cells.DECIMAL.setter().apply(type)
        : Cells.INTEGER.setter().apply(type);
  }

  /// A column of binary floating-point numbers, which may keep so many digits only.
  static Cell floats(String declared) {
    return Cells.FLOAT.checked(ColumnBounds.floats(declared));
  }

  /// A column of bytes.
  static Cell bytes(String declared) {
    return Cells.BYTES.checked(ColumnBounds.bytes(declared));
  }
}
