package millrace.testkit.oracle.value;

import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/// Values of each data type as bytes, and back.
public final class ValueFormat {
  private ValueFormat() {}

  /// The value that a client sent for a bind, or for a column of a direct path stream.
  ///
  /// @param charset of texts
  /// @throws IllegalArgumentException if the bytes are no value of that type
  public static Object decode(TtcType type, Charset charset, byte[] bytes) {
    return switch (type) {
      case VARCHAR, CHAR, LONG, CLOB -> new String(bytes, charset);
      case ROWID, UROWID -> new String(bytes, CharForm.DATABASE.charset());
      case NUMBER, BINARY_INTEGER -> NumberFormat.decode(bytes);
      case DATE, TIMESTAMP, TIMESTAMP_LTZ -> DateFormat.decode(bytes);
      case TIMESTAMP_TZ -> DateFormat.decodeZoned(bytes);
      case INTERVAL_YM -> IntervalFormat.decodeMonths(bytes);
      case INTERVAL_DS -> IntervalFormat.decodeSeconds(bytes);
      case BINARY_FLOAT -> FloatFormat.decodeFloat(bytes);
      case BINARY_DOUBLE -> FloatFormat.decodeDouble(bytes);
      case BOOLEAN -> bytes[bytes.length - 1] != 0;
      case RAW, LONG_RAW, BLOB, JSON, VECTOR -> bytes;
      case CURSOR -> throw new IllegalArgumentException("a cursor is no value");
    };
  }

  /// The bytes of a value of a result. CLOBs are as the client wants them: two bytes a character.
  public static byte @Nullable [] encode(
      ColumnSpec column, DatabaseCharset charset, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text.getBytes(charset(column, charset));
      case BigDecimal number -> NumberFormat.encode(number);
      case LocalDateTime time ->
          column.type() == TtcType.DATE ? DateFormat.date(time) : DateFormat.timestamp(time);
      case OffsetDateTime time -> DateFormat.zoned(time);
      case Period months -> IntervalFormat.encode(months);
      case Duration seconds -> IntervalFormat.encode(seconds);
      case Float number -> FloatFormat.encode(number);
      case Double number -> FloatFormat.encode(number);
      case Boolean truth -> truth ? new byte[] {1, 1} : new byte[] {0};
      case byte[] bytes -> bytes;
      case OraRowid rowid -> rowid.toString().getBytes(CharForm.DATABASE.charset());
      default -> throw new IllegalArgumentException("no value of Oracle: " + value.getClass());
    };
  }

  private static Charset charset(ColumnSpec column, DatabaseCharset charset) {
    return charset.of(column.type() == TtcType.CLOB ? CharForm.NATIONAL : column.form());
  }
}
