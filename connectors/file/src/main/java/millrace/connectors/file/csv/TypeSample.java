package millrace.connectors.file.csv;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Decoding;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import org.jspecify.annotations.Nullable;

/// Guesses the types of a file's fields from its sample, and from a few blocks further in if it can
/// be read from anywhere: a column may begin with a million small numbers. Of files that are read
/// together with it, the first records count too.
public final class TypeSample {

  private static final int BLOCK_BYTES = 1 << 18;

  /// Where the blocks further in lie, in eighths of the file.
  private static final int[] BLOCK_EIGHTHS = {2, 4, 6};

  private static final int ROWS_MAX = 4096;

  private final FileHead head;
  private final int fieldBytesMax;
  private final Tokenizer tokenizer;
  private final List<FieldGuess> guesses = new ArrayList<>();
  private final int[][] starts;
  private final int[][] ends;
  private final int[] recordStarts = new int[ROWS_MAX];
  private final int[] recordEnds = new int[ROWS_MAX];

  /// Whether the fields are looked at for the second time.
  private boolean asNumbers;

  private long rows;
  private long bytes;

  private TypeSample(FileHead head, SpellingStyle style, int fieldBytesMax) {
    this.head = head;
    this.fieldBytesMax = fieldBytesMax;
    tokenizer = head.tokenizer(head.width(), fieldBytesMax);
    starts = new int[head.width()][ROWS_MAX];
    ends = new int[head.width()][ROWS_MAX];
    String delimiter = head.dialect().delimiter();
    for (int i = 0; i < head.width(); i++) {
      guesses.add(new FieldGuess(style, head.dialect().temporals(), !delimiter.startsWith(",")));
    }
    tokenizer.into(starts, ends, recordStarts, recordEnds, new int[ROWS_MAX]);
  }

  /// Looks at a file.
  ///
  /// @param from where the first record to look at begins in the sample
  public static TypeSample of(FileHead head, int from, SpellingStyle style, int fieldBytesMax) {
    TypeSample sample = new TypeSample(head, style, fieldBytesMax);
    sample.look(from);
    if (sample.guesses.stream().anyMatch(FieldGuess::wantsNumbers)) {
      sample.asNumbers = true;
      sample.look(from);
    }
    return sample;
  }

  private void look(int from) {
    int at = from;
    while (true) {
      head.sample().tail = head.sample().end;
      int next = tokenizer.run(head.sample(), at, head.file().sampleIsAll());
      if (next == at) {
        break;
      }
      see(head.sample(), next - at);
      at = next;
    }
    if (head.file().seeks() && !head.file().sampleIsAll() && head.decoding() != Decoding.STREAM) {
      furtherIn();
    }
  }

  /// Looks at the beginning of another file, whose sample is there.
  ///
  /// @param order which of the first file's fields each of its fields is
  public void seeAnother(FileHead other, List<Integer> order) {
    if (other.textDataStart() == other.sample().end) {
      return;
    }
    Tokenizer cuts = other.tokenizer(other.width(), fieldBytesMax);
    cuts.into(starts, ends, recordStarts, recordEnds, new int[ROWS_MAX]);
    other.sample().tail = other.sample().end;
    cuts.run(other.sample(), other.textDataStart(), other.file().sampleIsAll());
    for (int field = 0; field < starts.length; field++) {
      FieldGuess guess = guesses.get(order.get(field));
      see(guess, field, cuts.rows(), other.sample().bytes, false);
      if (asNumbers) {
        see(guess, field, cuts.rows(), other.sample().bytes, true);
      }
    }
  }

  /// A block that begins inside a quoted field reads as nonsense: it counts only if every one of
  /// its records has the right fields.
  private void furtherIn() {
    TextBuffer textBuffer = new TextBuffer(BLOCK_BYTES);
    for (int eighths : BLOCK_EIGHTHS) {
      long from = head.file().size() / 8 * eighths;
      textBuffer.clear(BLOCK_BYTES);
      try (ByteFeed byteFeed = head.file().open(from, head.file().size())) {
        textBuffer.end = byteFeed.fill(textBuffer.bytes, 0, BLOCK_BYTES);
      }
      textBuffer.tail = textBuffer.end;
      int line = Swar.indexOf(textBuffer.bytes, 0, textBuffer.end, head.syntax().lineByte) + 1;
      if (line < textBuffer.end) {
        int next = tokenizer.run(textBuffer, line, false);
        if (tokenizer.bad().isEmpty()) {
          see(textBuffer, next - line);
        }
      }
    }
  }

  private void see(TextBuffer textBuffer, int length) {
    int count = tokenizer.rows();
    rows += asNumbers ? 0 : tokenizer.records();
    bytes += asNumbers ? 0 : length;
    for (int field = 0; field < starts.length; field++) {
      see(guesses.get(field), field, count, textBuffer.bytes, asNumbers);
    }
  }

  private void see(FieldGuess guess, int field, int count, byte[] text, boolean numbers) {
    for (int row = 0; row < count; row++) {
      int start = starts[field][row];
      if (start >= 0 && numbers) {
        guess.seeNumber(text, start, ends[field][row]);
      } else if (start >= 0) {
        guess.see(text, start, ends[field][row]);
      }
    }
  }

  /// The types of the fields, in order.
  public List<Type> types() {
    boolean comma = hasCommas();
    return guesses.stream().map(guess -> guess.type(comma)).toList();
  }

  private boolean hasCommas() {
    return guesses.stream().anyMatch(FieldGuess::isSureOfComma);
  }

  /// How the values of the fields are spelled, in order.
  public List<SpellingStyle> styles() {
    return guesses.stream().map(FieldGuess::style).toList();
  }

  /// How the user could say the spelling of a field that was recognised; null if none was.
  public @Nullable String recognised(int field) {
    return guesses.get(field).recognised();
  }

  /// What the values of a field may mean if that is open; null if it is not.
  public @Nullable String doubt(int field) {
    return guesses.get(field).doubt(hasCommas());
  }

  /// Whether points in numbers of a field could stand between thousands as well, as beside it are
  /// numbers with commas.
  public boolean mayHaveGroups(int field) {
    return guesses.get(field).mayHaveGroups(hasCommas());
  }

  /// About how many bytes of text a record has, 0 if none was seen.
  public long recordBytes() {
    return rows == 0 ? 0 : Math.max(1, bytes / rows);
  }
}
