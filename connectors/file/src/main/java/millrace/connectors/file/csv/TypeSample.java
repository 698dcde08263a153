package millrace.connectors.file.csv;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Decoding;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.guess.TypeGuess;

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
  private final List<TypeGuess> guesses = new ArrayList<>();
  private final int[][] starts;
  private final int[][] ends;
  private final int[] recordStarts = new int[ROWS_MAX];
  private final int[] recordEnds = new int[ROWS_MAX];
  private long rows;
  private long bytes;

  private TypeSample(FileHead head, SpellingStyle style, int fieldBytesMax) {
    this.head = head;
    this.fieldBytesMax = fieldBytesMax;
    tokenizer = head.tokenizer(head.width(), fieldBytesMax);
    starts = new int[head.width()][ROWS_MAX];
    ends = new int[head.width()][ROWS_MAX];
    for (int i = 0; i < head.width(); i++) {
      guesses.add(new TypeGuess(style));
    }
    tokenizer.into(starts, ends, recordStarts, recordEnds, new int[ROWS_MAX]);
  }

  /// Looks at a file.
  ///
  /// @param from where the first record to look at begins in the sample
  public static TypeSample of(FileHead head, int from, SpellingStyle style, int fieldBytesMax) {
    TypeSample sample = new TypeSample(head, style, fieldBytesMax);
    int at = from;
    while (true) {
      head.sample().tail = head.sample().end;
      int next = sample.tokenizer.run(head.sample(), at, head.file().whole());
      if (next == at) {
        break;
      }
      sample.see(head.sample(), next - at);
      at = next;
    }
    if (head.file().seeks() && !head.file().whole() && head.decoding() != Decoding.STREAM) {
      sample.furtherIn();
    }
    return sample;
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
    cuts.run(other.sample(), other.textDataStart(), other.file().whole());
    for (int field = 0; field < starts.length; field++) {
      see(guesses.get(order.get(field)), field, cuts.rows(), other.sample().bytes);
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
    rows += tokenizer.records();
    bytes += length;
    for (int field = 0; field < starts.length; field++) {
      see(guesses.get(field), field, count, textBuffer.bytes);
    }
  }

  private void see(TypeGuess guess, int field, int count, byte[] text) {
    for (int row = 0; row < count; row++) {
      if (starts[field][row] >= 0) {
        guess.see(text, starts[field][row], ends[field][row]);
      }
    }
  }

  /// The types of the fields, in order.
  public List<Type> types() {
    return guesses.stream().map(TypeGuess::type).toList();
  }

  /// How the values of the fields are spelled, in order.
  public List<SpellingStyle> styles() {
    return guesses.stream().map(_ -> head.dialect().temporals()).toList();
  }

  /// About how many bytes of text a record has, 0 if none was seen.
  public long recordBytes() {
    return rows == 0 ? 0 : Math.max(1, bytes / rows);
  }
}
