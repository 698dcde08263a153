package millrace.data.spelling;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.number.DecimalLongs;
import millrace.data.spelling.number.DecimalText;
import millrace.data.spelling.number.Floats;
import millrace.data.spelling.number.Integers;
import millrace.data.spelling.number.NumberStyle;
import millrace.data.spelling.number.StyledNumbers;
import millrace.data.spelling.time.Dates;
import millrace.data.spelling.time.EpochTimestamps;
import millrace.data.spelling.time.EpochUnit;
import millrace.data.spelling.time.LongTimes;
import millrace.data.spelling.time.PatternTemporals;
import millrace.data.spelling.time.Times;
import millrace.data.spelling.time.Timestamps;
import millrace.data.spelling.time.WallClock;
import millrace.data.spelling.time.ZeroDates;
import millrace.fault.Fault;

/// How the values of every type are spelled.
///
/// | type | written as | read as well |
/// |---|---|---|
/// | boolean | `true`, `false` | `t`, `yes`, `y`, `on`, `1` and so on, any case |
/// | int | `-42` | `+42`, leading zeros; `12.0` and `1e3`, which are whole |
/// | decimal | `12.50`, `NaN`, `-Infinity` | `.5`, `5.`, `1e3`, fewer digits after the point, more if they are zeros |
/// | float | `0.1`, `1e+20`, `-0`, `NaN`, `Infinity` | any number of digits, `inf`; of whole numbers those that it holds |
/// | date | `2024-02-29`, `0044-03-15 BC`, `infinity` | its midnight: `2024-02-29 00:00:00` |
/// | time | `12:34:56.789` | `12:34` |
/// | long time | `-26:30:00` | `-26:30` |
/// | timestamp | `2024-02-29 12:34:56.789` | `T` for the space, a date alone |
/// | timestamptz | `2024-02-29 12:34:56.789+00` | any offset, `Z`, ` UTC` |
/// | uuid | `c0de…`, lower case, dashes | any case, no dashes |
/// | bytes | `\x00ff` | |
/// | json | as it is: one document | |
/// | text, opaque | as it is | |
public final class Spelling {

  private Spelling() {}

  /// A parser for values of that type; made once per column and thread.
  ///
  /// A text that is no document is none of json: {@link JsonCheck} says which are.
  ///
  /// @throws Fault.User if a date or time pattern is not one
  public static ValueParser parser(Type type, SpellingStyle style) {
    return switch (type) {
      case Type.Numeric _ when !style.numbers().equals(NumberStyle.PLAIN) ->
          new StyledNumbers(codec(type, style), style.numbers(), type instanceof Type.Int);
      case Type.Date _, Type.Timestamp _ when style.zeroDates() ->
          new ZeroDates(temporal(type, style));
      case Type.Bool _,
          Type.Numeric _,
          Type.Temporal _,
          Type.Uuid _,
          Type.Bytes _,
          Type.Textual _ ->
          temporal(type, style);
    };
  }

  private static ValueParser temporal(Type type, SpellingStyle style) {
    EpochUnit epoch = style.epoch();
    return epoch != null && type instanceof Type.Timestamp
        ? new EpochTimestamps(epoch)
        : codec(type, style);
  }

  /// A formatter for values of that type; made once per column. Instants are written in UTC.
  ///
  /// @throws Fault.User if a date or time pattern is not one
  public static ValueFormatter formatter(Type type, SpellingStyle style) {
    return codec(type, style.inUtc());
  }

  /// One value as a user reads it, `null` if there is none; for messages and slow paths.
  public static String text(Columns batch, int column, int row) {
    return text(batch.schema().column(column).type(), batch.vector(column), row);
  }

  /// One value of that type as a user reads it, `null` if there is none.
  public static String text(Type type, Vector vector, int row) {
    if (vector.nulls[row]) {
      return "null";
    }
    ValueFormatter formatter = formatter(type, SpellingStyle.ISO);
    byte[] out = new byte[formatter.lengthMax(vector, row)];
    return new String(out, 0, formatter.format(vector, row, out, 0), StandardCharsets.UTF_8);
  }

  private static ValueCodec codec(Type type, SpellingStyle style) {
    return switch (type) {
      case Type.Bool _ -> new Booleans();
      case Type.Int(int bits) -> new Integers(bits);
      case Type.Float(int bits) -> new Floats(bits);
      case Type.Decimal decimal ->
          Decimals.fitsLong(decimal) ? new DecimalLongs(decimal) : new DecimalText(decimal);
      case Type.Date date -> {
        String format = style.dateFormat();
        yield format == null ? new Dates() : new PatternTemporals(date, format, null);
      }
      case Type.Time(boolean isLong) -> {
        String format = style.timeFormat();
        yield format != null
            ? new PatternTemporals(new Type.Time(true), format, null)
            : isLong ? new LongTimes() : new Times();
      }
      case Type.Timestamp(boolean zoned) -> {
        String format = style.timestampFormat();
        ZoneId zone = zoned ? style.timeZone() : null;
        WallClock clock = zone == null ? null : new WallClock(zone);
        yield format == null
            ? new Timestamps(zoned, clock)
            : new PatternTemporals(new Type.Timestamp(zoned), format, clock);
      }
      case Type.Uuid _ -> new Uuids();
      case Type.Bytes _ -> new HexBytes();
      case Type.Text text -> new Texts(text);
      case Type.Json _ -> new JsonTexts();
      case Type.Opaque _ -> new Texts(Type.Text.UNLIMITED);
    };
  }
}
