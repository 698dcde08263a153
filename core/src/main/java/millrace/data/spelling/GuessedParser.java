package millrace.data.spelling;

import java.util.Arrays;
import millrace.data.DoubleVector;
import millrace.data.Type;
import millrace.data.Vector;

/// Reads values of a type that was guessed from others: refuses what would have been another guess,
/// because there it may mean something else. So are codes with zeros or a plus before them, and
/// numbers of more digits than a float keeps.
final class GuessedParser extends ValueParser {

  private enum Look {
    NUMBER,
    FLOAT,
    WORD,
    TIME,
    UUID
  }

  private final Codec codec;
  private final Look look;
  private final byte[] shortest = new byte[Floats.LENGTH_MAX];

  private GuessedParser(Codec codec, Look look) {
    this.codec = codec;
    this.look = look;
  }

  /// The parser for a guessed type that values are to be read by.
  static ValueParser of(Type type, Codec codec, SpellingStyle style) {
    return switch (type) {
      case Type.Int _, Type.Decimal _ -> new GuessedParser(codec, Look.NUMBER);
      case Type.Float _ -> new GuessedParser(codec, Look.FLOAT);
      case Type.Bool _ -> new GuessedParser(codec, Look.WORD);
      case Type.Time _ when style.timeFormat() == null -> new GuessedParser(codec, Look.TIME);
      case Type.Uuid _ -> new GuessedParser(codec, Look.UUID);
      case Type.Time _,
          Type.Date _,
          Type.Timestamp _,
          Type.Json _,
          Type.Text _,
          Type.Bytes _,
          Type.Opaque _ ->
          codec;
    };
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    return codec.parse(bytes, start, end, into, row)
        && switch (look) {
          case NUMBER -> isPlain(bytes, start, end) && !isMinusZero(bytes, start, end);
          case FLOAT -> isPlain(bytes, start, end) && isKept(bytes, start, end, into, row);
          case WORD -> TypeGuess.BooleanGuess.isWord(bytes, start, end);
          case TIME -> end - start >= TypeGuess.TemporalGuess.LENGTH_MIN;
          case UUID -> end - start == TypeGuess.UuidGuess.DASHED;
        };
  }

  /// Whether a number has neither a plus nor zeros before it.
  private static boolean isPlain(byte[] bytes, int start, int end) {
    int from = bytes[start] == '-' ? start + 1 : start;
    boolean zerosBefore = bytes[from] == '0' && from + 1 < end && Digits.isDigit(bytes[from + 1]);
    return bytes[from] != '+' && !zerosBefore;
  }

  private static boolean isMinusZero(byte[] bytes, int start, int end) {
    if (bytes[start] != '-') {
      return false;
    }
    int at = start + 1;
    while (at < end && (bytes[at] == '0' || bytes[at] == '.')) {
      at++;
    }
    return at == end;
  }

  private boolean isKept(byte[] bytes, int start, int end, Vector into, int row) {
    if (end - start <= NumberGuess.FLOAT_DIGITS) {
      return true;
    }
    double value = ((DoubleVector) into).values[row];
    int length = codec.format(into, row, shortest, 0);
    return Arrays.equals(shortest, 0, length, bytes, start, end)
        || !Double.isFinite(value)
        || NumberGuess.survives(bytes, start, end, value);
  }
}
