package millrace.engine.transform;

import java.util.concurrent.atomic.LongAdder;
import millrace.data.BytesVector;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Vector;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;

/// Which types can be converted without loss, and how.
///
/// | from | to | values that do not fit |
/// |---|---|---|
/// | int | int, decimal | out of range |
/// | decimal | int, decimal | out of range, digits after the point lost |
/// | int, decimal | float | digits lost: neither exact nor read back from the fewest digits |
/// | float32 | float64 | |
/// | float64 | float32 | not exact |
/// | date | timestamp, at midnight | out of range |
/// | long time | time | beyond a day, below zero |
/// | text | opaque; any other type by its spelling | another spelling |
/// | list, struct | the same, spelled in another way | what the other has not, such as lists of several lengths in an array |
/// | json | list, struct | other members, texts for numbers |
/// | opaque | timestamp, by its spelling | another spelling, more digits than microseconds |
/// | text, json, opaque | text | too long |
/// | any | text, by its spelling | too long |
public final class Conversions {

  /// The last day all of whose microseconds fit a long, counted from 2000-01-01 either way.
  private static final long DAYS_MAX = Long.MAX_VALUE / Temporals.DAY_MICROS - 1;

  private Conversions() {}

  /// How values of one type become values of another.
  public static Conversion of(Type from, Type to) {
    if (from.equals(to)) {
      return new Conversion.Moved();
    }
    if (to instanceof Type.Text text) {
      return toText(from, text);
    }
    return switch (from) {
      case Type.Text _ -> fromText(to);
      case Type.Int(int bits) -> fromInt(bits, to);
      case Type.Decimal decimal -> fromDecimal(decimal, to);
      case Type.Float _ -> fromFloat(to);
      case Type.Date _ -> fromDate(to);
      case Type.Timestamp _ -> fromTimestamp(to);
      case Type.Opaque opaque -> fromOpaque(opaque, to);
      case Type.Json _ -> RespellNested.ofJson(to);
      case Type.Time _ -> fromTime(to);
      case Type.Bool _, Type.Uuid _, Type.Bytes _ -> others();
    };
  }

  /// The same, with what is read from text cut to microseconds.
  ///
  /// @param cut counts the values that were
  static Conversion cutting(Type from, Type to, LongAdder cut) {
    Conversion conversion = of(from, to);
    boolean isTime = to instanceof Type.Timestamp || to instanceof Type.Time;
    return isTime
            && from.layout() == Type.Layout.BYTES
            && conversion instanceof Conversion.Rewritten(ValueConversion exact)
        ? new Conversion.Rewritten(new CutNanoseconds(exact, cut))
        : conversion;
  }

  /// A value of the one is none of the other.
  private static Conversion others() {
    return new Conversion.Refused("");
  }

  private static Conversion fromOpaque(Type.Opaque from, Type to) {
    return switch (to) {
      case Type.Timestamp _ -> fromText(to);
      case Type.Opaque(Nested nested)
          when from.nested() != null && nested != null && from.nested().marks() != nested.marks() ->
          RespellNested.of(from.nested(), nested);
      case Type.Opaque _ -> new Conversion.Moved();
      case Type.Bool _,
          Type.Numeric _,
          Type.Date _,
          Type.Time _,
          Type.Uuid _,
          Type.Json _,
          Type.Text _,
          Type.Bytes _ ->
          others();
    };
  }

  private static Conversion toText(Type from, Type.Text to) {
    return switch (from) {
      case Type.Text text when to.holds(text) -> new Conversion.Moved();
      case Type.Textual _ ->
          to.lengthMax() == 0 ? new Conversion.Moved() : new Conversion.Bounded(to);
      case Type.Bool _, Type.Numeric _, Type.Temporal _, Type.Uuid _, Type.Bytes _ ->
          respelled(from, to);
    };
  }

  private static Conversion fromText(Type to) {
    return switch (to) {
      case Type.Text _, Type.Opaque _ -> new Conversion.Moved();
      case Type.Json _ -> new Conversion.InPlace(Conversions::isJson);
      case Type.Bool _, Type.Numeric _, Type.Temporal _, Type.Uuid _, Type.Bytes _ -> {
        ValueParser parser = Spelling.parser(to, SpellingStyle.ISO);
        yield new Conversion.Rewritten((from, into, row) -> {
          BytesVector texts = (BytesVector) from;
          return parser.parse(texts.bytes, texts.starts[row], texts.ends[row], into, row);
        });
      }
    };
  }

  private static boolean isJson(Vector from, Vector into, int row) {
    BytesVector texts = (BytesVector) from;
    return JsonCheck.isValid(texts.bytes, texts.starts[row], texts.ends[row]);
  }

  private static Conversion fromInt(int bits, Type to) {
    return switch (to) {
      case Type.Int(int toBits) ->
          toBits >= bits
              ? new Conversion.Moved()
              : new Conversion.Rewritten(new Rescale(0, 0, intMax(toBits), false, false));
      case Type.Decimal decimal when Decimals.fitsLong(decimal) ->
          new Conversion.Rewritten(new Rescale(0, decimal.scale(), unitsMax(decimal), false, true));
      case Type.Decimal _ -> respelled(new Type.Int(bits), to);
      case Type.Float number -> new Conversion.Rewritten(new ToFloat(new Type.Int(bits), number));
      case Type.Bool _, Type.Temporal _, Type.Uuid _, Type.Textual _, Type.Bytes _ -> others();
    };
  }

  private static Conversion fromDecimal(Type.Decimal from, Type to) {
    boolean longs = Decimals.fitsLong(from);
    return switch (to) {
      case Type.Int(int bits) when longs ->
          new Conversion.Rewritten(new Rescale(from.scale(), 0, intMax(bits), true, false));
      case Type.Decimal decimal when longs && Decimals.fitsLong(decimal) ->
          from.scale() == decimal.scale() && from.precision() <= decimal.precision()
              ? new Conversion.Moved()
              : new Conversion.Rewritten(
                  new Rescale(from.scale(), decimal.scale(), unitsMax(decimal), true, true));
      case Type.Int _, Type.Decimal _ -> respelled(from, to);
      case Type.Float number -> new Conversion.Rewritten(new ToFloat(from, number));
      case Type.Bool _, Type.Temporal _, Type.Uuid _, Type.Textual _, Type.Bytes _ -> others();
    };
  }

  private static Conversion fromFloat(Type to) {
    if (!(to instanceof Type.Float(int bits))) {
      return new Conversion.Refused("a floating-point number is not exact");
    }
    return bits == 64 ? new Conversion.Moved() : new Conversion.InPlace(Conversions::isSingle);
  }

  private static boolean isSingle(Vector from, Vector into, int row) {
    double value = ((DoubleVector) from).values[row];
    return Double.isNaN(value) || (float) value == value;
  }

  private static Conversion fromDate(Type to) {
    if (!(to instanceof Type.Timestamp(boolean zoned))) {
      return others();
    }
    return zoned
        ? new Conversion.Refused("it would need a time zone")
        : new Conversion.Rewritten(Conversions::midnight);
  }

  private static boolean midnight(Vector from, Vector into, int row) {
    long[] values = ((LongVector) into).values;
    long days = ((LongVector) from).values[row];
    if (days == Temporals.INFINITY || days == Temporals.MINUS_INFINITY) {
      values[row] = days;
      return true;
    }
    if (days < -DAYS_MAX || days > DAYS_MAX) {
      return false;
    }
    values[row] = days * Temporals.DAY_MICROS;
    return true;
  }

  private static Conversion fromTime(Type to) {
    if (!(to instanceof Type.Time(boolean isLong))) {
      return others();
    }
    return isLong ? new Conversion.Moved() : new Conversion.InPlace(Conversions::isOfDay);
  }

  private static boolean isOfDay(Vector from, Vector into, int row) {
    long micros = ((LongVector) from).values[row];
    return micros >= 0 && micros <= Temporals.DAY_MICROS;
  }

  private static Conversion fromTimestamp(Type to) {
    return switch (to) {
      case Type.Timestamp _ -> new Conversion.Refused("it would need a time zone");
      case Type.Date _ -> new Conversion.Refused("the time of day would be lost");
      case Type.Time _ -> new Conversion.Refused("the date would be lost");
      case Type.Bool _, Type.Numeric _, Type.Uuid _, Type.Textual _, Type.Bytes _ -> others();
    };
  }

  private static Conversion respelled(Type from, Type to) {
    return new Conversion.Rewritten(new Respell(from, to));
  }

  private static long intMax(int bits) {
    return (1L << (bits - 1)) - 1;
  }

  private static long unitsMax(Type.Decimal type) {
    return Decimals.powerOfTen(type.precision()) - 1;
  }
}
