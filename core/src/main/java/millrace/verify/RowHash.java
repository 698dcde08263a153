package millrace.verify;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.spelling.JsonValue;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.data.spelling.nested.NestedPair;
import millrace.data.spelling.nested.NestedRespelling;
import millrace.engine.transform.Conversion;
import millrace.engine.transform.Conversions;
import millrace.engine.transform.ValueConversion;
import org.jspecify.annotations.Nullable;

/// Hashes the values of one column to 64 bits, over one canonical form per kind of value.
///
/// Equal values hash alike whatever type holds them: integers and decimals of all widths and scales
/// (5, 5.00 and the text of an unlimited decimal 5.0), both widths of floating point, a date and
/// the timestamp at its midnight, a UUID and its text. Minus zero differs from zero; all NaN of one
/// kind are alike; null has a hash of its own. JSON is hashed by value, lists and structs by theirs
/// if the other side has them too, or JSON, and text by the value that it spells of the other
/// side's type. What is no such value is hashed as the text that it is, and so equals nothing of
/// that type. Made for one thread.
///
/// The mixing step, the two halves of a 128-bit product xored together, is that of Wang Yi's
/// wyhash.
final class RowHash {

  /// Where a row's hash starts.
  static final long SEED = 0x9E3779B97F4A7C15L;

  private static final long FACTOR = 0xD6E8FEB86659FD93L;
  private static final long NULL = 0x2545F4914F6CDD1DL;
  private static final long NUMBER = 0xA0761D6478BD642FL;
  private static final long LONG_NUMBER = 0xE7037ED1A0B428DBL;
  private static final long FLOAT = 0x8EBC6AF09C88C6E3L;
  private static final long INSTANT = 0x589965CC75374CC3L;
  private static final long READING = 0x1D8E4E27C47D124FL;
  private static final long DAY = 0xEB44ACCAB455D165L;
  private static final long CLOCK = 0x3C6EF372FE94F82BL;
  private static final long TRUTH = 0xC2B2AE3D27D4EB4FL;
  private static final long TEXT = 0x165667B19E3779F9L;
  private static final long DOCUMENT = 0x85EBCA77C2B2AE63L;
  private static final long RAW = 0x27D4EB2F165667C5L;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Type type;
  private final boolean asText;
  private final ValueFormatter formatter;
  private final @Nullable Spelled values;
  private final @Nullable JsonValue json;
  private final @Nullable NestedHash nested;
  private final @Nullable NestedRespelling toJson;
  private byte[] spelled = new byte[64];

  /// Reads text as the values that it spells, one at a time.
  private static final class Spelled {
    private final ValueConversion conversion;
    private final BytesVector text = new BytesVector(1);
    private final Columns value;
    private final RowHash hash;

    Spelled(ValueConversion conversion, Type as) {
      this.conversion = conversion;
      value = Columns.standalone(Schema.of(List.of(Column.of("", as))), 1);
      hash = new RowHash(as, as);
    }

    /// The hash of the value that a text spells, or of the text if it spells none.
    long value(BytesVector texts, int row) {
      text.view(texts.bytes);
      text.starts[0] = texts.starts[row];
      text.ends[0] = texts.ends[row];
      if (value.vector(0) instanceof BytesVector bytes) {
        bytes.reset();
      }
      return conversion.convert(text, value.vector(0), 0)
          ? hash.value(value, 0, 0)
          : bytes(TEXT, texts, row);
    }
  }

  /// @param type what the column holds here
  /// @param as what it is compared as, which is the other side's type if that side alone has one
  RowHash(Type type, Type as) {
    this.type = type;
    boolean isText = isText(type);
    Type.Opaque.Nested nestedType = type.nested();
    Type.Opaque.Nested other = as.nested();
    nested = nestedType != null && other != null ? new NestedHash(nestedType, other) : null;
    toJson =
        nestedType != null && as instanceof Type.Json
            ? new NestedRespelling(nestedType, nestedType.spelled(Type.Opaque.Marks.JSON))
            : null;
    json = isText && as instanceof Type.Json ? new JsonValue(RowHash::mix) : null;
    values =
        isText
                && !isText(as)
                && Conversions.of(Type.Text.UNLIMITED, as)
                    instanceof Conversion.Rewritten(ValueConversion conversion)
            ? new Spelled(conversion, as)
            : null;
    asText = type instanceof Type.Uuid || (!isText && isText(as));
    formatter = Spelling.formatter(type, SpellingStyle.ISO);
  }

  /// What two columns are compared as: JSON by value if either is JSON and the other text, text as
  /// the other's type, all else each as its own.
  static Type comparedAs(Type one, Type other) {
    Type.Opaque.Nested here = one.nested();
    Type.Opaque.Nested there = other.nested();
    if (here != null && there != null) {
      return NestedPair.of(here, there) instanceof NestedPair.Others ? Type.Text.UNLIMITED : one;
    }
    boolean isEitherNested = here != null || there != null;
    boolean isEitherJson = one instanceof Type.Json || other instanceof Type.Json;
    if (isEitherNested && !isEitherJson && isText(one) && isText(other)) {
      return Type.Text.UNLIMITED;
    }
    if (isText(one) && isText(other)) {
      return one instanceof Type.Json || other instanceof Type.Json ? new Type.Json() : one;
    }
    // A document is no number, nor a date: it is compared with the spelling of one.
    if (one instanceof Type.Json || other instanceof Type.Json) {
      return Type.Text.UNLIMITED;
    }
    return isText(one) ? other : one;
  }

  private static boolean isText(Type type) {
    return switch (type) {
      case Type.Textual _ -> true;
      case Type.Bool _, Type.Numeric _ -> false;
      case Type.Temporal _, Type.Uuid _, Type.Bytes _ -> false;
    };
  }

  /// Joins the hash of one more value to that of a row; the order matters.
  static long mix(long hash, long value) {
    return fold(hash ^ value, FACTOR) + SEED;
  }

  /// The hash of a text.
  static long text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes(TEXT, bytes, 0, bytes.length);
  }

  /// The hash of one value.
  long value(Columns batch, int column, int row) {
    if (batch.vector(column).nulls[row]) {
      return NULL;
    }
    if (values != null) {
      return values.value(batch.bytes(column), row);
    }
    if (nested != null) {
      return nested.value(batch.bytes(column), row);
    }
    if (json != null && toJson != null) {
      return respelled(toJson, json, batch.bytes(column), row);
    }
    if (json != null) {
      return document(json, batch.bytes(column), row);
    }
    if (asText) {
      return spelling(batch, column, row);
    }
    return switch (type) {
      case Type.Bool _ -> mix(TRUTH, batch.longs(column).values[row]);
      case Type.Int _ -> number(batch.longs(column).values[row], 0);
      case Type.Decimal decimal ->
          Decimals.fitsLong(decimal)
              ? shortDecimal(batch.longs(column).values[row], decimal.scale())
              : longDecimal(batch.bytes(column), row);
      case Type.Float _ -> mix(FLOAT, Double.doubleToLongBits(batch.doubles(column).values[row]));
      case Type.Date _ -> date(batch.longs(column).values[row]);
      case Type.Time _ -> mix(CLOCK, batch.longs(column).values[row]);
      case Type.Timestamp(boolean zoned) ->
          mix(zoned ? INSTANT : READING, batch.longs(column).values[row]);
      case Type.Bytes _ -> bytes(RAW, batch.bytes(column), row);
      case Type.Uuid _, Type.Textual _ -> bytes(TEXT, batch.bytes(column), row);
    };
  }

  /// The hash of a list or a struct as the document that it would be.
  private static long respelled(
      NestedRespelling toJson, JsonValue json, BytesVector vector, int row) {
    boolean isOne = toJson.respell(vector.bytes, vector.starts[row], vector.ends[row]);
    return isOne && json.read(toJson.bytes(), toJson.start(), toJson.end())
        ? mix(DOCUMENT, json.hash())
        : bytes(TEXT, vector, row);
  }

  private static long document(JsonValue json, BytesVector vector, int row) {
    return json.read(vector.bytes, vector.starts[row], vector.ends[row])
        ? mix(DOCUMENT, json.hash())
        : bytes(TEXT, vector, row);
  }

  private long spelling(Columns batch, int column, int row) {
    if (isText(type)) {
      return bytes(TEXT, batch.bytes(column), row);
    }
    int most = formatter.lengthMax(batch.vector(column), row);
    if (spelled.length < most) {
      spelled = new byte[most];
    }
    int end = formatter.format(batch.vector(column), row, spelled, 0);
    return bytes(TEXT, spelled, 0, end);
  }

  private static long date(long days) {
    if (days == Temporals.INFINITY || days == Temporals.MINUS_INFINITY) {
      return mix(READING, days);
    }
    long micros = days * Temporals.DAY_MICROS;
    boolean overflow = Math.multiplyHigh(days, Temporals.DAY_MICROS) != micros >> 63;
    return overflow ? mix(DAY, days) : mix(READING, micros);
  }

  private static long shortDecimal(long units, int scale) {
    return units == Decimals.NAN ? mix(NUMBER, Decimals.NAN) : number(units, scale);
  }

  /// A number that a long holds, trailing zeros after the point cut off.
  private static long number(long units, int scale) {
    long left = units;
    int digits = scale;
    while (digits > 0 && left % 10 == 0) {
      left /= 10;
      digits--;
    }
    return mix(mix(NUMBER, left), digits);
  }

  /// The text of a decimal: as a long if one holds it, so that it hashes as an integer would.
  private static long longDecimal(BytesVector vector, int row) {
    byte[] text = vector.bytes;
    int start = vector.starts[row];
    int end = vector.ends[row];
    byte last = text[end - 1];
    if (last > '9') {
      return last == 'N' ? mix(NUMBER, Decimals.NAN) : bytes(LONG_NUMBER, vector, row);
    }
    int point = indexOf(text, start, end);
    if (point < end) {
      while (text[end - 1] == '0') {
        end--;
      }
      if (end - 1 == point) {
        end--;
      }
    }
    int scale = Math.max(0, end - point - 1);
    boolean negative = text[start] == '-';
    long units = 0;
    for (int i = negative ? start + 1 : start; i < end; i++) {
      if (i != point) {
        int digit = text[i] - '0';
        // Counted downwards, since the lowest long has no positive twin.
        if (units < (Long.MIN_VALUE + digit) / 10) {
          return bytes(LONG_NUMBER, text, start, end);
        }
        units = units * 10 - digit;
      }
    }
    if (!negative && units == Long.MIN_VALUE) {
      return bytes(LONG_NUMBER, text, start, end);
    }
    return number(negative ? units : -units, scale);
  }

  private static int indexOf(byte[] text, int start, int end) {
    int at = start;
    while (at < end && text[at] != '.') {
      at++;
    }
    return at;
  }

  private static long bytes(long kind, BytesVector vector, int row) {
    return bytes(kind, vector.bytes, vector.starts[row], vector.ends[row]);
  }

  private static long bytes(long kind, byte[] bytes, int start, int end) {
    // Mixed in by itself: beside the bytes in one word, a length could stand for a byte.
    long hash = mix(kind, end - start);
    int at = start;
    for (; at + 8 <= end; at += 8) {
      hash = mix(hash, (long) WORD.get(bytes, at));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << 8 | (bytes[at] & 0xFF);
    }
    return mix(hash, rest);
  }

  private static long fold(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }
}
