package millrace.connectors.file.csv;

import millrace.data.spelling.Utf8;

/// Cuts a buffer of escaped text, as `mysqldump --tab`, `SELECT … INTO OUTFILE` and PostgreSQL's
/// COPY write it: there are no quotes, and an escape takes away the meaning of the byte behind it.
///
/// The rules, which {@link EscapedScanner} shares: an escaped delimiter or line byte is text. Some
/// letters and numbers behind an escape stand for other bytes ({@link #escaped}); any other byte
/// stands for itself. A field that is spelled as the null string is missing, before escapes count.
/// A line that is nothing but an escape and a dot is PostgreSQL's end mark, and no record.
final class EscapedTokenizer extends Tokenizer {

  private static final int OCTAL_DIGITS_MAX = 3;
  private static final int HEX_DIGITS_MAX = 2;
  private static final int BYTE_MAX = 255;

  private final byte escape;

  /// The first escape of the field that makes a byte of more than ASCII, or -1.
  private int wideAt;

  EscapedTokenizer(CsvSyntax syntax, int width, int fieldBytesMax) {
    super(syntax, width, fieldBytesMax);
    escape = syntax.escape[0];
  }

  @Override
  int record(int start) {
    problem = null;
    column = 0;
    ended = false;
    int after = afterComment(start);
    if (after != start) {
      return after == INCOMPLETE ? incomplete(start) : after;
    }
    int at = start;
    int field;
    while (true) {
      field = at;
      at = field(field);
      if (at == INCOMPLETE) {
        return incomplete(field);
      }
      if (ended) {
        break;
      }
      column++;
    }
    boolean lastIsEmpty = valueEnd == field;
    boolean isBlank = skipsBlank && lastIsEmpty;
    if (column == 0 && (isBlank || syntax.isEndMark(bytes, start, valueEnd))) {
      return at;
    }
    finish(start, at, lastIsEmpty);
    return at;
  }

  /// Takes a field, sets `valueEnd` and `ended`, and returns where the next field or record starts.
  private int field(int start) {
    int tail = textBuffer.tail;
    // What lies before it has been copied behind the tail.
    int from = start;
    int at = start;
    wideAt = -1;
    while (true) {
      at = Swar.indexOf(bytes, at, to, delimiter0, syntax.lineByte, escape);
      if (at == to) {
        return last ? end(start, from, tail, to, to) : INCOMPLETE;
      }
      byte found = bytes[at];
      if (found == escape) {
        if (at + 1 == to) {
          if (last) {
            found(Problem.LONE_ESCAPE, at, 1);
          }
          at++;
          continue;
        }
        append(from, at);
        from = escaped(at);
        at = from;
        continue;
      }
      int lineEnd = found == syntax.lineByte ? syntax.lineEndStart(bytes, from, at) : -1;
      if (lineEnd >= 0) {
        return end(start, from, tail, lineEnd, at + 1);
      }
      if (found == delimiter0 && isDelimiter(at)) {
        store(start, from, tail, at);
        valueEnd = at;
        return at + delimiterLength;
      }
      at++;
    }
  }

  private int end(int start, int from, int tail, int end, int next) {
    store(start, from, tail, end);
    valueEnd = end;
    ended = true;
    return next;
  }

  /// Keeps a value.
  ///
  /// @param from what lies before it has been copied behind `tail`
  private void store(int start, int from, int tail, int end) {
    if (end - start > fieldBytesMax) {
      found(Problem.FIELD_TOO_LONG, start, end - start);
    }
    boolean missing = isMissing(start, end);
    boolean copied = from > start && !missing;
    if (copied) {
      append(from, end);
      if (wideAt >= 0 && syntax.isUtf8 && !isUtf8(tail, textBuffer.tail)) {
        found(Problem.BAD_ESCAPE, wideAt, number(wideAt) & BYTE_MAX);
      }
    } else {
      textBuffer.tail = tail;
    }
    if (column < width) {
      keep(column, copied ? tail : start, copied ? textBuffer.tail : end, missing);
    }
  }

  /// Whether bytes are characters; a NUL that stood in the file is told of with the others of it.
  private boolean isUtf8(int start, int end) {
    int wrong = Utf8.firstInvalid(bytes, start, end);
    while (wrong >= 0 && bytes[wrong] == 0) {
      wrong = Utf8.firstInvalid(bytes, wrong + 1, end);
    }
    return wrong < 0;
  }

  /// Appends what an escape and the bytes behind it stand for; returns where the text goes on.
  private int escaped(int at) {
    byte each = bytes[at + 1];
    int next = at + 2;
    int value =
        switch (each) {
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'v' -> 0x0B;
          case 'Z' -> 0x1A;
          default -> -1;
        };
    if (value < 0) {
      int end = numberEnd(at);
      if (end > 0) {
        value = number(at);
        next = end;
        if (value == 0 || value > BYTE_MAX) {
          found(Problem.BAD_ESCAPE, at, value);
        } else if (value > Byte.MAX_VALUE && wideAt < 0) {
          wideAt = at;
        }
      } else {
        value = each;
      }
    }
    textBuffer.reserve(1);
    bytes = textBuffer.bytes;
    bytes[textBuffer.tail++] = (byte) value;
    return next;
  }

  /// Where the digits end that follow an escape, or -1 if it has no number.
  private int numberEnd(int at) {
    boolean hex = bytes[at + 1] == 'x';
    int from = hex ? at + 2 : at + 1;
    int stop = Math.min(to, from + (hex ? HEX_DIGITS_MAX : OCTAL_DIGITS_MAX));
    int end = from;
    while (end < stop && Character.digit(bytes[end], hex ? 16 : 8) >= 0) {
      end++;
    }
    return end > from ? end : -1;
  }

  /// The number behind an escape: octal, or behind an `x` hexadecimal.
  private int number(int at) {
    boolean hex = bytes[at + 1] == 'x';
    int value = 0;
    for (int i = hex ? at + 2 : at + 1; i < numberEnd(at); i++) {
      value = value * (hex ? 16 : 8) + Character.digit(bytes[i], hex ? 16 : 8);
    }
    return value;
  }
}
