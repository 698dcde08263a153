package millrace.connectors.file.csv;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cuts a buffer into records and fields; the hot loop of every read.
///
/// The rules, which {@link RecordScanner} shares: a quote opens a quoted field only as the first
/// thing in it; a quote further on is text. Inside quotes only the closing quote ends the field.
/// Text after a closing quote is a fault of its record, which then goes on as if unquoted. A line
/// with nothing on it is skipped, unless the table has one column, no trailing delimiter and no
/// documents: then it is a record with a missing value, as writers of one column spell it.
///
/// Fields come out as places in the buffer, per column; a missing value starts at -1. One thread.
public final class Tokenizer {

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
    WRONG_LENGTH("a length that is not the record's");

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
  /// @param found the number of fields or the length, as the problem has it
  public record BadRecord(
      int start, int end, int number, Problem problem, int column, int at, long found) {}

  /// Lengths of records in the source's own bytes, if the buffer holds them decoded.
  public interface SourceLengths {
    long between(int start, int end);
  }

  private static final int INCOMPLETE = -1;

  /// Bytes that are looked through ahead of the fields in them: few enough that their places stay
  /// in the nearest cache, and that little is lost if a record is not plain.
  private static final int WINDOW_BYTES = 1 << 10;

  private final CsvSyntax syntax;
  private final int width;
  private final int fieldBytesMax;
  private final boolean skipsBlank;
  private final byte delimiter0;
  private final int delimiterLength;
  private final byte quote0;
  private final int quoteLength;
  private final int lookahead;
  private final boolean mayBePlain;
  private final int windowBytes;
  private final int[] places;
  private final long[] marks;
  private final SourceLengths lengths;

  /// Where the fields go, by column and row: start, or -1 for a missing value, and end.
  private int[][] starts = new int[0][];

  private int[][] ends = new int[0][];
  private int[] recordStarts = new int[0];
  private int[] recordEnds = new int[0];
  private int[] numbers = new int[0];
  private int capacity;

  private final List<BadRecord> bad = new ArrayList<>();
  private int rows;
  private int records;
  private int pendingField;
  private int pendingColumn;

  private TextBuffer textBuffer = new TextBuffer(0);
  private byte[] bytes = textBuffer.bytes;
  private int to;
  private boolean last;
  private boolean ended;
  private int valueEnd;
  private int column;
  private @Nullable Problem problem;
  private int problemColumn;
  private int problemAt;
  private long problemFound;

  /// @param width how many fields a record has
  /// @param fieldBytesMax most bytes in a field
  public Tokenizer(CsvSyntax syntax, int width, int fieldBytesMax) {
    this(syntax, width, fieldBytesMax, (start, end) -> end - start);
  }

  public Tokenizer(CsvSyntax syntax, int width, int fieldBytesMax, SourceLengths lengths) {
    this(syntax, width, fieldBytesMax, lengths, WINDOW_BYTES);
  }

  /// One that looks through that many bytes at a time; for tests.
  Tokenizer(
      CsvSyntax syntax, int width, int fieldBytesMax, SourceLengths lengths, int windowBytes) {
    this.windowBytes = windowBytes;
    places = new int[windowBytes];
    marks = new long[windowBytes / 8];
    this.syntax = syntax;
    this.width = width;
    this.fieldBytesMax = fieldBytesMax;
    this.lengths = lengths;
    skipsBlank = syntax.skipsBlankLines(width);
    delimiter0 = syntax.delimiter[0];
    delimiterLength = syntax.delimiter.length;
    quote0 = syntax.quotes ? syntax.quote[0] : 0;
    quoteLength = syntax.quote.length;
    lookahead = Math.max(quoteLength, syntax.escape.length) * 2;
    mayBePlain =
        width > 0
            && delimiterLength == 1
            && delimiter0 > 0
            && quoteLength <= 1
            && quote0 >= 0
            && syntax.lengthPrefix == 0
            && !syntax.trailingDelimiter;
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
      if (mayBePlain) {
        at = plain(at);
        if (rows == capacity || at == to) {
          break;
        }
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

  /// Takes records as long as they are plain: whole, nothing wrong with them, of the usual syntax.
  /// What is not is left to {@link #record}, which knows all cases; of such a record nothing stays.
  ///
  /// @return where the first record starts that was not taken
  private int plain(int from) {
    byte third = syntax.quotes ? quote0 : delimiter0;
    int lastColumn = width - 1;
    int start = from;
    int field = from;
    int tail = textBuffer.tail;
    int at = from;
    int inRow = 0;
    problem = null;
    while (at < to) {
      int stop = Math.min(to, at + windowBytes);
      int count = Swar.places(bytes, at, stop, delimiter0, syntax.lineByte, third, marks, places);
      for (int i = 0; i < count; i++) {
        int place = places[i];
        if (place < field) {
          continue;
        }
        byte found = bytes[place];
        int next = place + 1;
        boolean ends = found == syntax.lineByte;
        if (found == delimiter0) {
          if (inRow == lastColumn || place - field > fieldBytesMax) {
            return undo(start, tail);
          }
          keep(inRow, field, place, isMissing(field, place));
        } else if (ends) {
          int end = syntax.lineEndStart(bytes, field, place);
          if (end < 0) {
            continue;
          }
          boolean skipped = skipsBlank && end == start;
          if (inRow != lastColumn || end - field > fieldBytesMax || skipped) {
            return undo(start, tail);
          }
          keep(inRow, field, end, isMissing(field, end));
        } else if (place > field) {
          continue;
        } else {
          column = inRow;
          ended = false;
          next = quotedField(i, count);
          ends = ended;
          if (next == INCOMPLETE || problem != null || ends != (inRow == lastColumn)) {
            return undo(start, tail);
          }
        }
        field = next;
        inRow++;
        if (ends) {
          take(start, next);
          if (rows == capacity) {
            return next;
          }
          start = next;
          tail = textBuffer.tail;
          inRow = 0;
        }
      }
      at = Math.max(stop, field);
    }
    return undo(start, tail);
  }

  private int undo(int start, int tail) {
    textBuffer.tail = tail;
    return start;
  }

  private int record(int start) {
    problem = null;
    column = 0;
    ended = false;
    int first = start;
    long expected = -1;
    if (syntax.lengthPrefix > 0) {
      first = afterPrefix(start);
      if (first == INCOMPLETE) {
        return incomplete(start);
      }
      expected = first - start == syntax.lengthPrefix ? digits(start, first) : -1;
    }
    int at = first;
    boolean quoted;
    int fieldStart;
    while (true) {
      fieldStart = at;
      quoted = syntax.quotes && at < to && bytes[at] == quote0 && isQuote(at);
      if (quoted) {
        at = quotedField(at);
      } else if (!last
          && quoteLength > 1
          && at < to
          && to - at < quoteLength
          && bytes[at] == quote0) {
        at = INCOMPLETE;
      } else {
        at = separator(at);
        if (at != INCOMPLETE) {
          store(fieldStart, valueEnd);
        }
      }
      if (at == INCOMPLETE) {
        return incomplete(fieldStart);
      }
      if (ended) {
        break;
      }
      column++;
    }
    boolean lastIsEmpty = !quoted && valueEnd == fieldStart;
    if (skipsBlank && column == 0 && lastIsEmpty && first == start) {
      return at;
    }
    if (syntax.lengthPrefix > 0) {
      checkLength(start, first, expected, at);
    }
    finish(start, at, lastIsEmpty);
    return at;
  }

  private int incomplete(int field) {
    pendingField = field;
    pendingColumn = column;
    return INCOMPLETE;
  }

  /// Looks for the end of an unquoted field, sets `valueEnd` and `ended`, and returns where the
  /// next field or record starts.
  private int separator(int from) {
    int at = from;
    while (true) {
      at = Swar.indexOf(bytes, at, to, delimiter0, syntax.lineByte);
      if (at == to) {
        if (!last) {
          return INCOMPLETE;
        }
        valueEnd = to;
        ended = true;
        return to;
      }
      if (bytes[at] == syntax.lineByte) {
        int lineEnd = syntax.lineEndStart(bytes, from, at);
        if (lineEnd >= 0) {
          valueEnd = lineEnd;
          ended = true;
          return at + 1;
        }
      } else if (isDelimiter(at)) {
        valueEnd = at;
        return at + delimiterLength;
      }
      at++;
    }
  }

  /// Takes an unquoted value.
  private void store(int start, int end) {
    if (end - start > fieldBytesMax) {
      found(Problem.FIELD_TOO_LONG, start, end - start);
    }
    if (column < width) {
      keep(column, start, end, isMissing(start, end));
    }
  }

  private void keep(int column, int start, int end, boolean missing) {
    starts[column][rows] = missing ? -1 : start;
    ends[column][rows] = missing ? -1 : end;
  }

  private boolean isMissing(int start, int end) {
    return syntax.nullString.length == 0 ? start == end : isNull(start, end);
  }

  private boolean isNull(int start, int end) {
    return end - start == syntax.nullString.length
        && CsvSyntax.matches(syntax.nullString, bytes, start, end);
  }

  private boolean isDelimiter(int at) {
    return delimiterLength == 1 || CsvSyntax.matches(syntax.delimiter, bytes, at, to);
  }

  private boolean isQuote(int at) {
    return quoteLength == 1 || CsvSyntax.matches(syntax.quote, bytes, at, to);
  }

  /// Takes the quoted field that opens at one of the places. Its end is looked for among those
  /// behind, and only if it is not there, byte by byte: text in quotes is mostly short.
  private int quotedField(int opening, int count) {
    int tail = textBuffer.tail;
    int content = places[opening] + 1;
    int from = content;
    // The last place tells nothing: a quote there may be the first of two.
    int stop = syntax.doubles ? count - 1 : 0;
    int i = opening + 1;
    while (i < stop) {
      int place = places[i];
      boolean quote = bytes[place] == quote0;
      if (quote && bytes[place + 1] != quote0) {
        return closed(content, from, place, tail);
      }
      if (quote) {
        append(from, place);
        from = place + 1;
      }
      i += quote ? 2 : 1;
    }
    textBuffer.tail = tail;
    return quotedField(content - 1);
  }

  /// Takes a quoted field; returns where the next field or record starts.
  private int quotedField(int open) {
    int tail = textBuffer.tail;
    int content = open + quoteLength;
    int from = content;
    int at = content;
    while (true) {
      at =
          syntax.doubles
              ? Swar.indexOf(bytes, at, to, quote0)
              : Swar.indexOf(bytes, at, to, quote0, syntax.escape[0]);
      if (at == to) {
        if (!last) {
          return INCOMPLETE;
        }
        found(Problem.UNTERMINATED_QUOTE, open, to - content);
        ended = true;
        return to;
      }
      if (!last && to - at < lookahead) {
        return INCOMPLETE;
      }
      int pair = syntax.pairLength(bytes, at, to);
      if (pair > 0) {
        append(from, at);
        from = at + syntax.escape.length;
        at += pair;
      } else if (bytes[at] == quote0 && isQuote(at)) {
        return closed(content, from, at, tail);
      } else {
        at++;
      }
    }
  }

  /// Takes the value of a quoted field. If it held escapes, it lies behind `tail` without them, but
  /// for what comes from `from` on.
  private int closed(int content, int from, int end, int tail) {
    int next = afterQuote(end + quoteLength);
    if (next == INCOMPLETE) {
      return INCOMPLETE;
    }
    if (end - content > fieldBytesMax) {
      found(Problem.FIELD_TOO_LONG, content, end - content);
    }
    if (column >= width || problem != null) {
      return next;
    }
    int start = content;
    int stop = end;
    if (from > content) {
      append(from, end);
      start = tail;
      stop = textBuffer.tail;
    }
    keep(column, start, stop, syntax.quotedNull && isNull(start, stop));
    return next;
  }

  private void append(int from, int end) {
    textBuffer.reserve(end - from);
    bytes = textBuffer.bytes;
    System.arraycopy(bytes, from, bytes, textBuffer.tail, end - from);
    textBuffer.tail += end - from;
  }

  /// What follows a closing quote; returns where the next field or record starts.
  private int afterQuote(int at) {
    if (at == to) {
      ended = true;
      return last ? to : INCOMPLETE;
    }
    if (bytes[at] == delimiter0 && isDelimiter(at)) {
      return at + delimiterLength;
    }
    if (!last && to - at < Math.max(2, delimiterLength) && bytes[at] != syntax.lineByte) {
      return INCOMPLETE;
    }
    if (bytes[at] == syntax.lineByte && !syntax.strictCrLf) {
      ended = true;
      return at + 1;
    }
    if (syntax.dropsCr
        && bytes[at] == CsvSyntax.CR
        && at + 1 < to
        && bytes[at + 1] == CsvSyntax.LF) {
      ended = true;
      return at + 2;
    }
    int next = separator(at);
    if (next != INCOMPLETE) {
      found(Problem.TEXT_AFTER_QUOTE, at, valueEnd - at);
    }
    return next;
  }

  /// Behind the digits of the record's length, or as many of them as there are.
  private int afterPrefix(int start) {
    int stop = Math.min(to, start + syntax.lengthPrefix);
    int at = start;
    while (at < stop && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    if (at == to && !last) {
      return INCOMPLETE;
    }
    if (at - start < syntax.lengthPrefix) {
      found(Problem.NO_LENGTH, start, at - start);
    }
    return at;
  }

  private long digits(int from, int end) {
    long value = 0;
    for (int at = from; at < end; at++) {
      value = value * 10 + (bytes[at] - '0');
    }
    return value;
  }

  private void checkLength(int start, int first, long expected, int next) {
    if (problem == null) {
      long length = lengths.between(first, next);
      if (length != expected) {
        found(Problem.WRONG_LENGTH, start, length);
      }
    }
  }

  private void finish(int start, int next, boolean lastIsEmpty) {
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

  private void take(int start, int next) {
    recordStarts[rows] = start;
    recordEnds[rows] = next;
    numbers[rows] = records;
    rows++;
    records++;
  }

  /// Keeps the first problem of a record.
  private void found(Problem what, int at, long found) {
    if (problem == null) {
      problem = what;
      problemColumn = column;
      problemAt = at;
      problemFound = found;
    }
  }
}
