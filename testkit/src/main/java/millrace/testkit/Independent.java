package millrace.testkit;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Values as a system's own client gives them, brought to the form of a {@link Row}: the second
/// opinion on what a connector has written. It uses none of the connectors' code, nor the spelling
/// of core.
///
/// A client may give a value as its Java object or as the text that its system shows: `2024-02-29
/// 12:00:00+00`, `t`, `\x00ff`. Raw bytes may also be an array.
public final class Independent {

  private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);
  private static final HexFormat HEX = HexFormat.of();

  private Independent() {}

  /// Checks that a system's own client finds the rows that were written.
  ///
  /// @param found the values of the schema's columns, in their order
  /// @throws AssertionError with the rows that only one side has
  public static void check(Schema schema, List<Row> written, List<List<@Nullable Object>> found) {
    List<Row> seen = found.stream().map(values -> row(schema, values)).toList();
    RowCheck.sameRows(schema, written.stream().map(row -> byValue(schema, row)).toList(), seen);
  }

  private static Row row(Schema schema, List<@Nullable Object> values) {
    List<@Nullable Object> row = new ArrayList<>();
    for (int i = 0; i < schema.width(); i++) {
      Column column = schema.column(i);
      @Nullable Object value = values.get(i);
      try {
        row.add(value == null ? null : value(column.type(), value));
      } catch (RuntimeException e) {
        throw new AssertionError(
            column.name() + " is no " + column.type().label() + ": " + value, e);
      }
    }
    return new Row(row);
  }

  /// Decimals without their zeros at the end, which not every client shows.
  private static Row byValue(Schema schema, Row row) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < schema.width(); i++) {
      boolean spelled =
          schema.column(i).type() instanceof Type.Decimal && row.value(i) instanceof String;
      values.add(spelled ? decimal(String.valueOf(row.value(i))) : row.value(i));
    }
    return new Row(values);
  }

  private static String decimal(String text) {
    BigDecimal value = new BigDecimal(text);
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  private static Object value(Type type, Object value) {
    String text = value.toString();
    return switch (type) {
      case Type.Bool _ -> truth(text);
      case Type.Int _ -> Long.parseLong(text);
      case Type.Float(int bits) ->
          value instanceof Number number
              ? number.doubleValue()
              : bits == 32 ? (double) Float.parseFloat(text) : Double.parseDouble(text);
      case Type.Decimal(int precision, int scale) ->
          precision > 0 && precision <= 18
              ? (Object) new BigDecimal(text).movePointRight(scale).longValueExact()
              : decimal(text);
      case Type.Date _ -> ChronoUnit.DAYS.between(EPOCH, LocalDate.parse(text));
      case Type.Time _ -> ChronoUnit.MICROS.between(LocalTime.MIN, LocalTime.parse(text));
      case Type.Timestamp(boolean zoned) -> micros(zoned ? instant(text) : moment(text));
      case Type.Uuid _ ->
          value instanceof byte[] bytes
              ? HEX.formatHex(bytes)
              : text.replace("-", "").toLowerCase(Locale.ROOT);
      case Type.Bytes _ -> value instanceof byte[] bytes ? HEX.formatHex(bytes) : hex(text);
      case Type.Textual _ -> text;
    };
  }

  private static long truth(String text) {
    return switch (text) {
      case "t", "true", "TRUE", "1" -> 1;
      case "f", "false", "FALSE", "0" -> 0;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static String hex(String text) {
    String digits = text.startsWith("\\x") ? text.substring(2) : text;
    return HEX.formatHex(HEX.parseHex(digits));
  }

  private static long micros(LocalDateTime moment) {
    return ChronoUnit.MICROS.between(EPOCH.atStartOfDay(), moment);
  }

  private static LocalDateTime moment(String text) {
    return LocalDateTime.parse(text.replace(' ', 'T'));
  }

  private static LocalDateTime instant(String text) {
    String iso = text.replace(' ', 'T').replaceFirst("([+-]\\d\\d)$", "$1:00");
    return OffsetDateTime.parse(iso).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
  }
}
