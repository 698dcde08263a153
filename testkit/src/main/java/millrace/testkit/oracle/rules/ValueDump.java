package millrace.testkit.oracle.rules;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import millrace.testkit.oracle.value.DateFormat;
import millrace.testkit.oracle.value.FloatFormat;
import millrace.testkit.oracle.value.NumberFormat;
import org.h2.util.JSR310Utils;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/// DUMP: the bytes that a value has in Oracle. H2 calls it.
public final class ValueDump {

  private static final int HEXADECIMAL = 16;
  private static final int WITH_CHARSET = 1000;

  private ValueDump() {}

  public static @Nullable String dump(Value value) {
    return dump(value, 10);
  }

  /// DUMP with a format.
  ///
  /// @param format 10 or 16 for the digits, and 1000 more if texts are to name their character set
  public static @Nullable String dump(Value value, int format) {
    int type = type(value.getValueType());
    if (type < 0) {
      return "NULL";
    }
    byte[] bytes = bytes(value);
    boolean text = type == 1 || type == 96;
    String charset = text && format >= WITH_CHARSET ? " CharacterSet=AL32UTF8" : "";
    boolean hexadecimal = format % WITH_CHARSET == HEXADECIMAL;
    return "Typ=%d Len=%d%s: %s"
        .formatted(type, bytes.length, charset, OraFunctions.list(bytes, hexadecimal));
  }

  private static int type(int h2) {
    return switch (h2) {
      case Value.NULL -> -1;
      case Value.CHAR -> 96;
      case Value.TINYINT,
          Value.SMALLINT,
          Value.INTEGER,
          Value.BIGINT,
          Value.NUMERIC,
          Value.DECFLOAT ->
          2;
      case Value.VARBINARY, Value.BINARY -> 23;
      case Value.REAL -> 100;
      case Value.DOUBLE -> 101;
      case Value.TIMESTAMP -> 12;
      default -> 1;
    };
  }

  private static byte[] bytes(Value value) {
    return switch (type(value.getValueType())) {
      case 2 -> number(value.getBigDecimal());
      case 12 -> time(value);
      case 23 -> value.getBytes();
      case 100 -> FloatFormat.encode(value.getFloat());
      case 101 -> FloatFormat.encode(value.getDouble());
      default -> String.valueOf(value.getString()).getBytes(StandardCharsets.UTF_8);
    };
  }

  private static byte[] number(BigDecimal value) {
    return NumberFormat.encode(value);
  }

  private static byte[] time(Value value) {
    LocalDateTime time = JSR310Utils.valueToLocalDateTime(value, null);
    return DateFormat.timestamp(time);
  }
}
