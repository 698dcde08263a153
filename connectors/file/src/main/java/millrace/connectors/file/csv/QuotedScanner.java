package millrace.connectors.file.csv;

/// Finds where records end by the rules of {@link QuotedTokenizer}, to the byte. It can stop and go
/// on anywhere: the buffer may end inside a quoted field.
final class QuotedScanner extends RecordScanner {

  private enum State {
    RECORD,
    COMMENT,
    PREFIX,
    FIELD,
    UNQUOTED,
    QUOTED
  }

  /// Bytes that are looked through at once if nothing is in quotes.
  private static final int STRETCH_BYTES = 1 << 10;

  /// After stretches in vain so many bytes at most go by before the next is tried.
  private static final int PATIENCE_BYTES_MAX = 1 << 16;

  /// More bytes are needed to tell what the next ones mean.
  private static final int WAIT = -1;

  private final CsvSyntax syntax;
  private final boolean skipsBlank;
  private final byte delimiter0;
  private final byte quote0;
  private final int lookahead;

  /// Delimiters of one byte need not be stopped at: a quote opens a field if one stands before it.
  private final boolean looksBack;

  /// Quotes of one byte that are doubled need not be looked at one by one; see {@link #blocks}.
  private final boolean countsQuotes;

  /// Lines need not be looked at one by one if there are no quotes; see {@link #stretches}.
  private final boolean countsLines;

  private final int stretchBytes;

  private State state = State.RECORD;
  private int prefixLeft;
  private long recordBytes;
  private boolean ended;
  private boolean blank;

  private byte[] bytes = new byte[0];
  private int to;
  private int enough;
  private boolean last;

  private int patience;

  /// Two bytes before it must be there.
  private int nextStretch;

  /// @param width how many fields a record has; it decides whether blank lines are records
  QuotedScanner(CsvSyntax syntax, int width) {
    this(syntax, width, STRETCH_BYTES);
  }

  /// One that looks through that many bytes at once, a multiple of 8; for tests.
  QuotedScanner(CsvSyntax syntax, int width, int stretchBytes) {
    this.stretchBytes = stretchBytes;
    this.syntax = syntax;
    skipsBlank = syntax.skipsBlankLines(width);
    delimiter0 = syntax.delimiter[0];
    quote0 = syntax.quotes ? syntax.quote[0] : 0;
    // A quote behind blanks opens a field too if they are trimmed.
    looksBack = syntax.quotes && syntax.delimiter.length == 1 && !syntax.trims;
    boolean hasComments = syntax.comment.length > 0;
    countsQuotes =
        looksBack
            && syntax.doubles
            && syntax.quote.length == 1
            && syntax.lengthPrefix == 0
            && !hasComments
            && !syntax.strictCrLf;
    countsLines =
        (!syntax.quotes || looksBack)
            && syntax.lengthPrefix == 0
            && !hasComments
            && !syntax.strictCrLf;
    lookahead = Math.max(syntax.quote.length, syntax.escape.length) * 2;
  }

  @Override
  public boolean atBoundary() {
    return state == State.RECORD;
  }

  @Override
  public int scan(byte[] bytes, int from, int to, int enough, boolean last) {
    this.bytes = bytes;
    this.to = to;
    this.enough = enough;
    this.last = last;
    patience = stretchBytes;
    nextStretch = from + 2;
    int at = from;
    while (at < to) {
      int next = step(at);
      if (next == WAIT) {
        return at;
      }
      recordBytes += next - at;
      at = next;
      if (ended) {
        endRecord();
        if (at >= enough) {
          return at;
        }
      }
    }
    if (last && state != State.RECORD) {
      endsOpen = true;
      endsInQuotes = state == State.QUOTED;
      endRecord();
    }
    return at;
  }

  private void endRecord() {
    boolean isRecord = !blank || !skipsBlank;
    if (isRecord && state != State.COMMENT) {
      records++;
    }
    state = State.RECORD;
    recordBytes = 0;
    blank = false;
    ended = false;
  }

  private int step(int at) {
    return switch (state) {
      case RECORD -> {
        if (!last && to - at < syntax.comment.length) {
          yield WAIT;
        }
        if (syntax.comment.length > 0 && CsvSyntax.matches(syntax.comment, bytes, at, to)) {
          state = State.COMMENT;
          yield at + syntax.comment.length;
        }
        prefixLeft = syntax.lengthPrefix;
        state = prefixLeft > 0 ? State.PREFIX : State.FIELD;
        yield at;
      }
      case COMMENT -> comment(at);
      case PREFIX -> prefix(at);
      case FIELD -> field(at);
      case UNQUOTED -> unquoted(at);
      case QUOTED -> quoted(at);
    };
  }

  private int comment(int from) {
    int at = from;
    while (true) {
      at = Swar.indexOf(bytes, at, to, syntax.lineByte);
      if (at == to) {
        boolean mayEnd = !last && syntax.strictCrLf && bytes[to - 1] == CsvSyntax.CR;
        return !mayEnd ? to : to - 1 > from ? to - 1 : WAIT;
      }
      lines++;
      if (syntax.lineEndStart(bytes, from, at) >= 0) {
        ended = true;
        return at + 1;
      }
      at++;
    }
  }

  private int prefix(int from) {
    int at = from;
    while (at < to && prefixLeft > 0 && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
      prefixLeft--;
    }
    if (at < to) {
      state = State.FIELD;
    }
    return at;
  }

  private int field(int at) {
    int open = syntax.trims ? syntax.blanksEnd(bytes, at, to) : at;
    if (open == to) {
      return to;
    }
    if (syntax.quotes && bytes[open] == quote0) {
      if (!last && to - open < syntax.quote.length) {
        return open > at ? open : WAIT;
      }
      if (CsvSyntax.matches(syntax.quote, bytes, open, to)) {
        state = State.QUOTED;
        return open + syntax.quote.length;
      }
    }
    state = State.UNQUOTED;
    return at;
  }

  private int unquoted(int from) {
    int at = countsLines && from >= nextStretch ? stretches(from) : from;
    if (at > from) {
      return at;
    }
    while (true) {
      at = candidate(at);
      if (at == to) {
        return unquotedRunsOut(from);
      }
      if (bytes[at] == syntax.lineByte) {
        lines++;
        int lineEnd = syntax.lineEndStart(bytes, from, at);
        if (lineEnd >= 0) {
          ended = true;
          blank = recordBytes + (lineEnd - from) == 0;
          return at + 1;
        }
      } else if (looksBack) {
        if (at > from && bytes[at - 1] == delimiter0) {
          state = State.FIELD;
          return at;
        }
      } else if (CsvSyntax.matches(syntax.delimiter, bytes, at, to)) {
        state = State.FIELD;
        return at + syntax.delimiter.length;
      } else if (!last && to - at < syntax.delimiter.length) {
        return at > from ? at : WAIT;
      }
      at++;
    }
  }

  /// Goes on from inside a record by stretches without quotes and blank lines.
  private int stretches(int from) {
    int at = from;
    while (at < Math.min(to, enough) - stretchBytes) {
      int ends = Swar.lone(bytes, at, stretchBytes, syntax.lineByte, quote0);
      // What is behind a line end is another record.
      byte ending = bytes[at + stretchBytes - 1];
      if (ends < 0 || ending == syntax.lineByte || ending == CsvSyntax.CR) {
        break;
      }
      lines += ends;
      records += ends;
      at += stretchBytes;
    }
    if (at == from) {
      nextStretch = from + patience;
      patience = Math.min(2 * patience, PATIENCE_BYTES_MAX);
      return from;
    }
    patience = stretchBytes;
    // What the next byte means depends on this one.
    return at - 1;
  }

  private int candidate(int at) {
    if (!syntax.quotes) {
      return Swar.indexOf(bytes, at, to, syntax.lineByte);
    }
    return Swar.indexOf(bytes, at, to, looksBack ? quote0 : delimiter0, syntax.lineByte);
  }

  /// What a quote or line feed at the front of the next buffer means depends on the byte before.
  private int unquotedRunsOut(int from) {
    if (looksBack && bytes[to - 1] == delimiter0) {
      state = State.FIELD;
    } else if (!last && syntax.dropsCr && bytes[to - 1] == CsvSyntax.CR) {
      return to - 1 > from ? to - 1 : WAIT;
    }
    return to;
  }

  private int quoted(int from) {
    int at = countsQuotes ? blocks(from) : from;
    if (at > from) {
      return at;
    }
    while (true) {
      at =
          syntax.doubles
              ? Swar.indexOf(bytes, at, to, quote0)
              : Swar.indexOf(bytes, at, to, quote0, syntax.escape[0]);
      if (at < to && !last && to - at < lookahead) {
        if (at == from) {
          return WAIT;
        }
        lines += Swar.count(bytes, from, at, syntax.lineByte);
        return at;
      }
      if (at == to) {
        lines += Swar.count(bytes, from, to, syntax.lineByte);
        return to;
      }
      int pair = syntax.pairLength(bytes, at, to);
      if (pair > 0) {
        at += pair;
      } else if (CsvSyntax.matches(syntax.quote, bytes, at, to)) {
        lines += Swar.count(bytes, from, at, syntax.lineByte);
        state = State.UNQUOTED;
        return at + syntax.quote.length;
      } else {
        at++;
      }
    }
  }

  /// Goes on from inside quotes by blocks of 64 bytes, as long as there are quotes in or around
  /// them.
  ///
  /// What an odd number of quotes stands before is inside of them, if each quote that an even
  /// number stands before either opens a field or follows the quote that it belongs to (the idea is
  /// simdjson's; Langdale and Lemire, "Parsing Gigabytes of JSON per Second", section 3.1). A block
  /// with any other quote is left to the other states, and so is one where lines may be blank or
  /// that ends with a line.
  private int blocks(int from) {
    int at = from;
    long inside = -1;
    long mayOpen = 0;
    for (; at < Math.min(to, enough) - 64; at += 64) {
      long quotes = Swar.hits(bytes, at, quote0);
      long lineBytes = Swar.hits(bytes, at, syntax.lineByte);
      long within = Swar.parities(quotes) ^ inside;
      long ends = lineBytes & ~within;
      // A carriage return may stand between two line feeds.
      long blanks = ends & (ends << 1 | ends << 2);
      long strays = quotes & within & ~((quotes | lineBytes) << 1 | mayOpen);
      if (strays != 0) {
        strays &= ~(Swar.hits(bytes, at, delimiter0) << 1);
      }
      byte ending = bytes[at + 63];
      boolean endsLine = ending == CsvSyntax.LF || ending == CsvSyntax.CR;
      if ((quotes | inside) == 0 || (strays | blanks) != 0 || endsLine) {
        break;
      }
      lines += Long.bitCount(lineBytes);
      records += Long.bitCount(ends);
      inside = within >> 63;
      mayOpen = ending == quote0 || ending == delimiter0 ? 1 : 0;
    }
    if (inside != 0) {
      return at;
    }
    // What the next byte means depends on this one.
    state = bytes[at - 1] == quote0 ? State.QUOTED : State.UNQUOTED;
    return at - 1;
  }
}
