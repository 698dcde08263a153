package millrace.data.spelling.guess;

import java.util.Arrays;
import millrace.data.DoubleVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.number.DecimalCodec;
import millrace.data.spelling.number.Digits;
import millrace.data.spelling.number.Floats;
import millrace.data.spelling.number.NumberRespelling;
import org.jspecify.annotations.Nullable;

/// Looks once more at values of a type that {@link TypeGuess} has guessed from others: one that
/// would have made another guess may mean something else. So do codes with zeros or a plus before
/// them, `1.10` if all others have one digit after the point, and numbers of more digits than a
/// float keeps.
///
/// Asked behind the {@link ValueParser}, which knows nothing of guesses. It keeps a buffer of its
/// own, so each thread has its own checks.
public final class GuessCheck {

  private enum Look {
    INTEGER,
    DECIMAL,
    FLOAT,
    WORD,
    DATE,
    TIME,
    UUID
  }

  /// `2024-02-29`.
  private static final int DATE_LENGTH = 10;

  private final Look look;

  /// What begins with 1 to 9 needs no closer look up to this length.
  private final int plainLengthMax;

  /// The most digits after the point of a decimal.
  private final int scaleMax;

  private final Floats floats = new Floats(Double.SIZE);
  private final byte[] shortest = new byte[Floats.LENGTH_MAX];

  /// How numbers are spelled; null if plainly, or if they are none.
  private final @Nullable NumberRespelling respelling;

  private GuessCheck(Look look, int scaleMax, @Nullable NumberRespelling respelling) {
    this.respelling = respelling;
    this.look = look;
    this.scaleMax = scaleMax;
    plainLengthMax =
        switch (look) {
          case INTEGER -> Integer.MAX_VALUE;
          case FLOAT -> NumberGuess.FLOAT_DIGITS;
          case DATE -> DATE_LENGTH;
          case DECIMAL, WORD, TIME, UUID -> 0;
        };
  }

  /// The check for values of that type, or null if all that its parser takes is as guessed.
  public static @Nullable GuessCheck of(Type type, SpellingStyle style) {
    return switch (type) {
      case Type.Int _ -> new GuessCheck(Look.INTEGER, 0, NumberRespelling.of(style.numbers()));
      case Type.Decimal(int precision, int scale) ->
          new GuessCheck(
              Look.DECIMAL,
              precision > 0 ? scale : Integer.MAX_VALUE,
              NumberRespelling.of(style.numbers()));
      case Type.Float _ -> new GuessCheck(Look.FLOAT, 0, NumberRespelling.of(style.numbers()));
      case Type.Bool _ -> new GuessCheck(Look.WORD, 0, null);
      case Type.Date _ when style.dateFormat() == null -> new GuessCheck(Look.DATE, 0, null);
      case Type.Time _ when style.timeFormat() == null -> new GuessCheck(Look.TIME, 0, null);
      case Type.Uuid _ -> new GuessCheck(Look.UUID, 0, null);
      case Type.Temporal _, Type.Textual _, Type.Bytes _ -> null;
    };
  }

  /// Has a parser read a value; whether it knows the spelling, and a check, if there is one, takes
  /// it for one of the guessed type.
  public static boolean parse(
      ValueParser parser,
      @Nullable GuessCheck check,
      byte[] bytes,
      int start,
      int end,
      Vector into,
      int row) {
    return parser.parse(bytes, start, end, into, row)
        && (check == null || into.nulls[row] || check.looksAt(bytes, start, end, into, row));
  }

  private boolean looksAt(byte[] bytes, int start, int end, Vector parsed, int row) {
    NumberRespelling anew = respelling;
    boolean isAnew = anew != null && anew.respell(bytes, start, end, false);
    return (anew != null && isAnew)
        ? holds(anew.plain(), 0, anew.length(), parsed, row)
        : holds(bytes, start, end, parsed, row);
  }

  /// Whether a spelling is one of the guessed type.
  ///
  /// @param parsed where the parser has put its value, in that row
  private boolean holds(byte[] bytes, int start, int end, Vector parsed, int row) {
    boolean plain =
        bytes[start] >= '1'
            && bytes[start] <= '9'
            && end - start <= plainLengthMax
            && (look != Look.INTEGER || Digits.areDigits(bytes, start, end));
    return plain || holdsOnLook(bytes, start, end, parsed, row);
  }

  private boolean holdsOnLook(byte[] bytes, int start, int end, Vector parsed, int row) {
    return switch (look) {
      case INTEGER ->
          isPlain(bytes, start, end)
              && !isMinusZero(bytes, start, end)
              && Digits.digitsEnd(bytes, bytes[start] == '-' ? start + 1 : start, end) == end;
      case DECIMAL ->
          isPlain(bytes, start, end)
              && !isMinusZero(bytes, start, end)
              && DecimalCodec.isPlain(bytes, start, end, scaleMax);
      case FLOAT -> isPlain(bytes, start, end) && isLossless(bytes, start, end, parsed, row);
      case DATE -> !hasTime(bytes, start, end);
      case WORD -> TypeGuess.BooleanGuess.isWord(bytes, start, end);
      case TIME -> end - start >= TypeGuess.TemporalGuess.LENGTH_MIN;
      case UUID -> end - start == TypeGuess.UuidGuess.DASHED;
    };
  }

  /// Whether a number has neither a plus nor zeros before it.
  private static boolean isPlain(byte[] bytes, int start, int end) {
    int from = bytes[start] == '-' ? start + 1 : start;
    return bytes[from] != '+' && !NumberGuess.hasZerosBefore(bytes, from, end);
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

  private static boolean hasTime(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && bytes[at] != ':') {
      at++;
    }
    return at < end;
  }

  private boolean isLossless(byte[] bytes, int start, int end, Vector parsed, int row) {
    if (end - start <= NumberGuess.FLOAT_DIGITS) {
      return true;
    }
    double value = ((DoubleVector) parsed).values[row];
    int length = floats.format(parsed, row, shortest, 0);
    return Arrays.equals(shortest, 0, length, bytes, start, end)
        || !Double.isFinite(value)
        || NumberGuess.survives(bytes, start, end, value);
  }
}
