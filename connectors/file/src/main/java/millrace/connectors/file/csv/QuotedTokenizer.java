package millrace.connectors.file.csv;

/// Cuts a buffer with quotes around fields, or with nothing that protects them.
///
/// The rules, which {@link QuotedScanner} shares: a quote opens a quoted field only as the first
/// thing in it; a quote further on is text. Inside quotes only the closing quote ends the field.
/// Text after a closing quote is a fault of its record, which then goes on as if unquoted. A line
/// with nothing on it is skipped, unless the table has one column, no trailing delimiter and no
/// documents: then it is a record with a missing value, as writers of one column spell it. If
/// blanks are trimmed, those around a field and those around its quotes are no part of it; a line
/// of blanks is a record all the same.
public final class QuotedTokenizer extends Tokenizer {

  /// Bytes that are looked through ahead of the fields in them: few enough that their places stay
  /// in the nearest cache, and that little is lost if a record is not plain.
  private static final int WINDOW_BYTES = 1 << 10;

  private final byte quote0;
  private final int quoteLength;
  private final int lookahead;
  private final boolean mayBePlain;
  private final int windowBytes;
  private final int[] places;
  private final long[] marks;
  private final SourceLengths lengths;

  QuotedTokenizer(CsvSyntax syntax, int width, int fieldBytesMax, SourceLengths lengths) {
    this(syntax, width, fieldBytesMax, lengths, WINDOW_BYTES);
  }

  /// One that looks through that many bytes at a time; for tests.
  QuotedTokenizer(
      CsvSyntax syntax, int width, int fieldBytesMax, SourceLengths lengths, int windowBytes) {
    super(syntax, width, fieldBytesMax);
    this.windowBytes = windowBytes;
    places = new int[windowBytes];
    marks = new long[windowBytes / 8];
    this.lengths = lengths;
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

  /// Takes records as long as they are plain: whole, nothing wrong with them, of the usual syntax.
  /// What is not is left to {@link #record}, which knows all cases; of such a record nothing stays.
  ///
  /// @return where the first record starts that was not taken
  @Override
  int several(int from) {
    return mayBePlain ? plain(from) : from;
  }

  private int plain(int from) {
    byte third = syntax.quotes ? quote0 : delimiter0;
    int lastColumn = width - 1;
    int start = from;
    int field = from;
    int tail = textBuffer.tail;
    int at = from;
    int inRow = 0;
    problem = null;
    if (isComment(from)) {
      return from;
    }
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
          keepBare(inRow, field, place);
        } else if (ends) {
          int end = syntax.lineEndStart(bytes, field, place);
          if (end < 0) {
            continue;
          }
          boolean skipped = skipsBlank && end == start;
          if (inRow != lastColumn || end - field > fieldBytesMax || skipped) {
            return undo(start, tail);
          }
          keepBare(inRow, field, end);
        } else if (place > field) {
          if (syntax.trims && syntax.blanksEnd(bytes, field, place) == place) {
            return undo(start, tail);
          }
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
          if (isComment(next)) {
            return next;
          }
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

  @Override
  int record(int start) {
    problem = null;
    column = 0;
    ended = false;
    int after = afterComment(start);
    if (after != start) {
      return after == INCOMPLETE ? incomplete(start) : after;
    }
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
      int open = syntax.trims ? syntax.blanksEnd(bytes, at, to) : at;
      quoted = syntax.quotes && open < to && bytes[open] == quote0 && isQuote(open);
      if (quoted) {
        at = quotedField(open);
      } else if (!last
          && quoteLength > 1
          && open < to
          && to - open < quoteLength
          && bytes[open] == quote0) {
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
      keepBare(column, start, end);
    }
  }

  /// Keeps an unquoted value, without the blanks around it if they are no part of it.
  private void keepBare(int column, int start, int end) {
    int from = start;
    int stop = end;
    if (syntax.trims) {
      from = syntax.blanksEnd(bytes, start, end);
      stop = syntax.blanksStart(bytes, from, end);
    }
    keep(column, from, stop, isMissing(from, stop));
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
    keep(column, start, stop, syntax.quotedNull && syntax.isNull(bytes, start, stop));
    return next;
  }

  /// What follows a closing quote; returns where the next field or record starts.
  private int afterQuote(int from) {
    int at = syntax.trims ? syntax.blanksEnd(bytes, from, to) : from;
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
}
