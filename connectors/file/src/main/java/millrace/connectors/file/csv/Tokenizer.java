package millrace.connectors.file.csv;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cuts a buffer into records and fields; the hot loop of every read.
///
/// Which bytes have a meaning its two kinds know. {@link RecordScanner} has a sibling of each.
/// Fields come out as places in the buffer, per column; a missing value starts at -1. A line with
/// nothing on it is skipped, as {@link CsvSyntax#skipsBlankLines} says, and so is a comment. One
/// thread.
public abstract sealed class Tokenizer permits QuotedTokenizer, EscapedTokenizer {

  /// What can be wrong with a record.
  public enum Problem {
    TOO_FEW_FIELDS("too few fields"),
    TOO_MANY_FIELDS("too many fields"),
    TEXT_AFTER_QUOTE("text after a closing quote"),
    UNTERMINATED_QUOTE("a quote that is never closed"),
    FIELD_TOO_LONG("a field longer than max-field"),
    RECORD_TOO_LONG("a record too long to hold"),
    NO_TRAILING_DELIMITER("no delimiter after the last field"),
    NO_LENGTH("no length before the record"),
    WRONG_LENGTH("a length that is not the record's"),
    LONE_ESCAPE("an escape with nothing behind it"),
    BAD_ESCAPE("an escape that makes no character");

    private final String words;

    Problem(String words) {
      this.words = words;
    }

    /// What it is, in a few words.
    public String words() {
      return words;
    }
  }

  /// A record that is not as it should be.
  ///
  /// @param start where it starts in the buffer
  /// @param end where the next one starts
  /// @param number how many records of this run stand before it
  /// @param problem what is wrong
  /// @param column which field it was found in, from 0
  /// @param at where in the buffer it was found
  /// @param found the number of fields, the length, or the byte that was escaped, as the problem
  ///   has it
  public record BadRecord(
      int start, int end, int number, Problem problem, int column, int at, long found) {}

  /// Lengths of records in the source's own bytes, if the buffer holds them decoded.
  public interface SourceLengths {
    long between(int start, int end);
  }

  static final int INCOMPLETE = -1;

  final CsvSyntax syntax;
  final int width;
  final int fieldBytesMax;
  final boolean skipsBlank;
  final byte delimiter0;
  final int delimiterLength;
  private final int commentLength;

  /// Where the fields go, by column and row: start, or -1 for a missing value, and end.
  int[][] starts = new int[0][];

  int[][] ends = new int[0][];
  int[] recordStarts = new int[0];
  int[] recordEnds = new int[0];
  int[] numbers = new int[0];
  int capacity;

  private final List<BadRecord> bad = new ArrayList<>();
  int rows;
  private int records;
  private int pendingField;
  private int pendingColumn;

  TextBuffer textBuffer = new TextBuffer(0);
  byte[] bytes = textBuffer.bytes;
  int to;
  boolean last;
  boolean ended;
  int valueEnd;
  int column;
  @Nullable Problem problem;
  private int problemColumn;
  private int problemAt;
  private long problemFound;

  Tokenizer(CsvSyntax syntax, int width, int fieldBytesMax) {
    this.syntax = syntax;
    this.width = width;
    this.fieldBytesMax = fieldBytesMax;
    skipsBlank = syntax.skipsBlankLines(width);
    delimiter0 = syntax.delimiter[0];
    delimiterLength = syntax.delimiter.length;
    commentLength = syntax.comment.length;
  }

  /// The tokenizer of a syntax.
  ///
  /// @param width how many fields a record has
  /// @param fieldBytesMax most bytes in a field
  public static Tokenizer of(CsvSyntax syntax, int width, int fieldBytesMax) {
    return of(syntax, width, fieldBytesMax, (start, end) -> end - start);
  }

  public static Tokenizer of(
      CsvSyntax syntax, int width, int fieldBytesMax, SourceLengths lengths) {
    return syntax.escapes
        ? new EscapedTokenizer(syntax, width, fieldBytesMax)
        : new QuotedTokenizer(syntax, width, fieldBytesMax, lengths);
  }

  /// Takes one record, or none if it is a line that is no record.
  ///
  /// @return where the next one starts, or INCOMPLETE
  abstract int record(int start);

  /// Takes as many records as can be taken in a faster way.
  ///
  /// @return where the first record starts that was not taken
  int several(int from) {
    return from;
  }

  /// Says where the results of the next run go.
  ///
  /// @param starts for each field of a record, where the values start; may share arrays
  /// @param ends likewise, where they end
  /// @param recordStarts where each record starts
  /// @param recordEnds where each ends, line end included
  /// @param numbers how many records of the run stand before each, bad ones included
  public void into(
      int[][] starts, int[][] ends, int[] recordStarts, int[] recordEnds, int[] numbers) {
    this.starts = starts;
    this.ends = ends;
    this.recordStarts = recordStarts;
    this.recordEnds = recordEnds;
    this.numbers = numbers;
    capacity = recordStarts.length;
  }

  /// Takes records from `from` on until the buffer's end, or until the arrays are full.
  ///
  /// @param last whether the source ends with the buffer
  /// @return where the first record starts that was not taken
  public int run(TextBuffer buffer, int from, boolean last) {
    textBuffer = buffer;
    bytes = buffer.bytes;
    to = buffer.end;
    this.last = last;
    rows = 0;
    records = 0;
    bad.clear();
    int at = from;
    while (rows < capacity && at < to) {
      at = several(at);
      if (rows == capacity || at == to) {
        break;
      }
      int tail = textBuffer.tail;
      int next = record(at);
      if (next == INCOMPLETE) {
        textBuffer.tail = tail;
        break;
      }
      at = next;
    }
    return at;
  }

  /// How many good records the last run took.
  public int rows() {
    return rows;
  }

  /// How many records the last run took, bad ones included.
  int records() {
    return records;
  }

  /// The bad records of the last run, in order.
  public List<BadRecord> bad() {
    return bad;
  }

  /// Where the field starts in which the buffer ended.
  int pendingField() {
    return pendingField;
  }

  /// Which column that field is in.
  int pendingColumn() {
    return pendingColumn;
  }

  final int incomplete(int field) {
    pendingField = field;
    pendingColumn = column;
    return INCOMPLETE;
  }

  final void keep(int column, int start, int end, boolean missing) {
    starts[column][rows] = missing ? -1 : start;
    ends[column][rows] = missing ? -1 : end;
  }

  final boolean isMissing(int start, int end) {
    return (syntax.nullString.length == 0 && !syntax.hasOtherNulls)
        ? start == end
        : syntax.isNull(bytes, start, end);
  }

  /// Whether a comment begins there; not if the buffer ends within what it begins with.
  final boolean isComment(int start) {
    return commentLength > 0 && syntax.isComment(bytes, start, to);
  }

  /// Where the next record starts if a comment stands there, or INCOMPLETE; its own start if none
  /// does. Nothing in a comment has a meaning but its line end.
  final int afterComment(int start) {
    if (commentLength == 0) {
      return start;
    }
    if (!isComment(start)) {
      return !last && to - start < commentLength ? INCOMPLETE : start;
    }
    int at = start + commentLength;
    while (true) {
      at = Swar.indexOf(bytes, at, to, syntax.lineByte);
      if (at == to) {
        return last ? to : INCOMPLETE;
      }
      if (syntax.lineEndStart(bytes, start, at) >= 0) {
        return at + 1;
      }
      at++;
    }
  }

  final boolean isDelimiter(int at) {
    return delimiterLength == 1 || CsvSyntax.matches(syntax.delimiter, bytes, at, to);
  }

  final void append(int from, int end) {
    textBuffer.reserve(end - from);
    bytes = textBuffer.bytes;
    System.arraycopy(bytes, from, bytes, textBuffer.tail, end - from);
    textBuffer.tail += end - from;
  }

  final void finish(int start, int next, boolean lastIsEmpty) {
    int fields = column + 1;
    if (syntax.trailingDelimiter) {
      if (lastIsEmpty) {
        fields--;
      } else if (fields == width) {
        found(Problem.NO_TRAILING_DELIMITER, next, fields);
      }
    }
    if (fields < width) {
      found(Problem.TOO_FEW_FIELDS, start, fields);
    } else if (fields > width) {
      found(Problem.TOO_MANY_FIELDS, start, fields);
    }
    if (problem != null) {
      bad.add(new BadRecord(start, next, records, problem, problemColumn, problemAt, problemFound));
      records++;
    } else {
      take(start, next);
    }
  }

  final void take(int start, int next) {
    recordStarts[rows] = start;
    recordEnds[rows] = next;
    numbers[rows] = records;
    rows++;
    records++;
  }

  /// Keeps the first problem of a record.
  final void found(Problem what, int at, long found) {
    if (problem == null) {
      problem = what;
      problemColumn = column;
      problemAt = at;
      problemFound = found;
    }
  }
}
