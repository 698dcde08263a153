package millrace.data.spelling.guess;

import java.util.ArrayList;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.Uuids;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.Words;
import millrace.data.spelling.time.PatternCompiler;
import org.jspecify.annotations.Nullable;

/// Guesses the type of one column from a sample of its fields: the narrowest that holds all of them
/// and writes them back without loss.
///
/// A source without types of its own makes one per column and shows it the fields that are not
/// null. A guess never promises a small range that the sample can't know of: integers are 64 bits
/// wide, decimals leave room before the point. What looks like a code stays text: digits with zeros
/// before them, with a plus, with dashes between them. A later value that does not fit the guess is
/// refused by the parser or by a {@link GuessCheck}, and so reported, never changed.
public final class TypeGuess {

  /// What the column may still be; the first that has been witnessed is the answer.
  private final List<Hypothesis> left = new ArrayList<>();

  /// A guess that has seen nothing.
  ///
  /// @param style the formats that the user says dates and times are in; a field in one of them is
  ///   a date or time before it is a number
  public TypeGuess(SpellingStyle style) {
    left.add(new BooleanGuess());
    left.add(new TemporalGuess(new Type.Date(), style, style.dateFormat() != null));
    left.add(new TemporalGuess(new Type.Time(), style, style.timeFormat() != null));
    String format = style.timestampFormat();
    boolean formatZoned = format != null && PatternCompiler.hasOffset(format);
    if (format == null || !formatZoned) {
      left.add(new TemporalGuess(new Type.Timestamp(false), style, format != null));
    }
    if (format == null || formatZoned) {
      left.add(new TemporalGuess(new Type.Timestamp(true), style, format != null));
    }
    left.add(new NumberGuess(style.numbers()));
    left.add(new UuidGuess());
    left.add(new JsonGuess());
  }

  /// Takes a field into account that is not null.
  public void see(byte[] bytes, int start, int end) {
    for (int i = left.size() - 1; i >= 0; i--) {
      if (!left.get(i).holds(bytes, start, end)) {
        left.remove(i);
      }
    }
  }

  /// The narrowest type that fits all fields seen; text if there were none.
  public Type type() {
    for (Hypothesis hypothesis : left) {
      if (hypothesis.isWitnessed()) {
        return hypothesis.type();
      }
    }
    return Type.Text.UNLIMITED;
  }

  /// One type that the column may be.
  interface Hypothesis {

    /// Whether the field fits; called for each until one does not.
    boolean holds(byte[] bytes, int start, int end);

    /// Whether some field spoke for this type, and not only none against it.
    boolean isWitnessed();

    /// The type, once witnessed.
    Type type();
  }

  /// The words true and false, or their first letters if both occur: a column of one letter alone
  /// may be anything.
  static final class BooleanGuess implements Hypothesis {
    private static final byte[] T = Words.of("t");
    private static final byte[] F = Words.of("f");

    private boolean sawWord;
    private boolean sawT;
    private boolean sawF;

    @Override
    public boolean holds(byte[] bytes, int start, int end) {
      sawWord |= end - start > 1;
      sawT |= Words.is(T, bytes, start, end);
      sawF |= Words.is(F, bytes, start, end);
      return isWord(bytes, start, end);
    }

    static boolean isWord(byte[] bytes, int start, int end) {
      return Words.is(Words.TRUE, bytes, start, end)
          || Words.is(Words.FALSE, bytes, start, end)
          || Words.is(T, bytes, start, end)
          || Words.is(F, bytes, start, end);
    }

    @Override
    public boolean isWitnessed() {
      return sawWord || (sawT && sawF);
    }

    @Override
    public Type type() {
      return new Type.Bool();
    }
  }

  /// A date or time, in the user's format or as ISO 8601.
  static final class TemporalGuess implements Hypothesis {

    /// `12:34:56`; without seconds it may as well be minutes and seconds.
    static final int LENGTH_MIN = 8;

    private final Type type;
    private final ValueParser parser;
    private final @Nullable GuessCheck check;
    private final boolean formatted;
    private final LongVector scratch = new LongVector(1);
    private boolean witnessed;

    TemporalGuess(Type type, SpellingStyle style, boolean formatted) {
      this.type = type;
      parser = Spelling.parser(type, style);
      check = GuessCheck.of(type, style);
      this.formatted = formatted;
    }

    @Override
    public boolean holds(byte[] bytes, int start, int end) {
      if ((end - start < LENGTH_MIN && !formatted)
          || !GuessCheck.parse(parser, check, bytes, start, end, scratch, 0)) {
        return false;
      }
      // A column of nothing but the word infinity may be anything.
      long value = scratch.values[0];
      witnessed |=
          !scratch.nulls[0] && value != Temporals.INFINITY && value != Temporals.MINUS_INFINITY;
      return true;
    }

    @Override
    public boolean isWitnessed() {
      return witnessed;
    }

    @Override
    public Type type() {
      return type;
    }
  }

  /// A UUID with dashes; without them, 32 digits may be any checksum.
  static final class UuidGuess implements Hypothesis {
    static final int DASHED = 36;

    private final ValueParser parser = new Uuids();
    private final BytesVector scratch = new BytesVector(1);
    private boolean witnessed;

    @Override
    public boolean holds(byte[] bytes, int start, int end) {
      witnessed = true;
      scratch.reset();
      return end - start == DASHED && parser.parse(bytes, start, end, scratch, 0);
    }

    @Override
    public boolean isWitnessed() {
      return witnessed;
    }

    @Override
    public Type type() {
      return new Type.Uuid();
    }
  }

  /// A JSON object or array; other JSON values look like everything else.
  static final class JsonGuess implements Hypothesis {
    private boolean witnessed;

    @Override
    public boolean holds(byte[] bytes, int start, int end) {
      witnessed = true;
      return start < end
          && (bytes[start] == '{' || bytes[start] == '[')
          && JsonCheck.isValid(bytes, start, end);
    }

    @Override
    public boolean isWitnessed() {
      return witnessed;
    }

    @Override
    public Type type() {
      return new Type.Json();
    }
  }
}
