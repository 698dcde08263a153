package millrace.connectors.file.csv;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import millrace.connectors.file.csv.CsvDialect.Newline;

/// A dialect as bytes of one charset: what the tokenizer and the scanner compare with.
///
/// The line end must be known (not AUTO). The first byte of each part is looked for, eight bytes at
/// a time; if a part is longer the rest is compared at each hit.
public final class CsvSyntax {

  public static final byte LF = '\n';
  public static final byte CR = '\r';

  /// What stands behind an escape on a line of its own behind the last record, as PostgreSQL has
  /// written it.
  static final byte END_MARK = '.';

  final byte[] delimiter;
  public final byte[] quote;
  final byte[] escape;
  final byte[] nullString;

  /// What is read as a missing value as well.
  private final byte[][] otherNulls;

  final boolean hasOtherNulls;

  /// What a line begins with that is no record; empty if there are no such lines.
  final byte[] comment;

  /// Blanks around a field are no part of it.
  final boolean trims;

  private final boolean delimitedByTabs;

  public final boolean quotes;

  /// Whether an escape protects what has a meaning, and not quotes.
  public final boolean escapes;

  /// Whether bytes are UTF-8, and not of another charset.
  final boolean isUtf8;

  final boolean doubles;
  final boolean quotedNull;
  final boolean trailingDelimiter;
  final int lengthPrefix;
  final boolean documents;

  /// The byte that ends a record, the last one of a CRLF; lines are counted by it.
  public final byte lineByte;

  /// A line feed ends a record only behind a carriage return.
  final boolean strictCrLf;

  /// A carriage return before the line feed is part of the line end.
  final boolean dropsCr;

  public CsvSyntax(CsvDialect dialect, Charset charset) {
    delimiter = dialect.delimiter().getBytes(charset);
    quote = dialect.quotes().quote().getBytes(charset);
    escape = dialect.quotes().escape().getBytes(charset);
    nullString = dialect.nulls().text().getBytes(charset);
    otherNulls =
        dialect.nulls().others().stream()
            .map(each -> each.getBytes(charset))
            .toArray(byte[][]::new);
    hasOtherNulls = otherNulls.length > 0;
    comment = dialect.passedOver().comment().getBytes(charset);
    trims = dialect.passedOver().blanks();
    delimitedByTabs = dialect.delimiter().startsWith("\t");
    quotes = quote.length > 0;
    escapes = dialect.escapes();
    isUtf8 = charset.equals(StandardCharsets.UTF_8);
    doubles = dialect.quotes().doubles();
    quotedNull = dialect.nulls().quoted();
    trailingDelimiter = dialect.framing().trailingDelimiter();
    lengthPrefix = dialect.framing().lengthPrefix();
    documents = dialect.framing().documents();
    Newline newline = dialect.framing().newline();
    lineByte = newline == Newline.CR ? CR : LF;
    strictCrLf = newline == Newline.CRLF;
    dropsCr = newline == Newline.CRLF || newline == Newline.LF_OR_CRLF;
  }

  /// Whether a line with nothing on it is no record of that many columns. Of one column it is a
  /// record with an empty or missing value, as writers of one column spell it.
  boolean skipsBlankLines(int width) {
    return width > 1 || trailingDelimiter || lengthPrefix > 0 || documents;
  }

  /// Whether these bytes are one of the spellings of a missing value.
  boolean isNull(byte[] bytes, int start, int end) {
    return is(nullString, bytes, start, end) || (hasOtherNulls && isOtherNull(bytes, start, end));
  }

  private boolean isOtherNull(byte[] bytes, int start, int end) {
    for (byte[] each : otherNulls) {
      if (is(each, bytes, start, end)) {
        return true;
      }
    }
    return false;
  }

  private static boolean is(byte[] part, byte[] bytes, int start, int end) {
    return end - start == part.length && matches(part, bytes, start, end);
  }

  /// Where the blanks end that begin at that place.
  int blanksEnd(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && isBlank(bytes[at])) {
      at++;
    }
    return at;
  }

  /// Where the blanks begin that end at that place.
  int blanksStart(byte[] bytes, int start, int end) {
    int at = end;
    while (at > start && isBlank(bytes[at - 1])) {
      at--;
    }
    return at;
  }

  /// Whether a bare field would lose blanks to {@link #trims}.
  boolean losesBlanks(byte[] bytes, int start, int end) {
    return trims && start < end && (isBlank(bytes[start]) || isBlank(bytes[end - 1]));
  }

  private boolean isBlank(byte each) {
    return each == ' ' || (each == '\t' && !delimitedByTabs);
  }

  /// What ends the records of escaped text. Either byte alone may be part of a value, so both end
  /// records only if no line feed stands alone, and a carriage return only if there is no line
  /// feed.
  public Newline escapedLineEnd(byte[] bytes, int from, int to) {
    boolean hasCr = false;
    boolean hasBoth = false;
    int textEnd = from;
    for (int at = from; at < to; at++) {
      if (bytes[at] == escape[0]) {
        at++;
        textEnd = at + 1;
      } else if (bytes[at] == CR) {
        hasCr = true;
      } else if (bytes[at] == LF) {
        hasBoth = at > textEnd && bytes[at - 1] == CR;
        if (!hasBoth) {
          return Newline.LF;
        }
      }
    }
    return hasBoth ? Newline.CRLF : hasCr ? Newline.CR : Newline.LF;
  }

  /// Whether a line that begins there is a comment.
  public boolean isComment(byte[] bytes, int start, int end) {
    return comment.length > 0 && matches(comment, bytes, start, end);
  }

  /// Whether a line is not a record but the mark behind the last one.
  public boolean isEndMark(byte[] bytes, int start, int end) {
    return escapes && end - start == 2 && bytes[start] == escape[0] && bytes[start + 1] == END_MARK;
  }

  /// Whether the part stands at that place, whole, before `to`.
  public static boolean matches(byte[] part, byte[] bytes, int at, int to) {
    if (to - at < part.length) {
      return false;
    }
    for (int i = 0; i < part.length; i++) {
      if (bytes[at + i] != part[i]) {
        return false;
      }
    }
    return true;
  }

  /// Where the line end that ends with the line byte at `at` begins, or -1 if that byte is text.
  ///
  /// @param from nothing before it is looked at
  public int lineEndStart(byte[] bytes, int from, int at) {
    if (!dropsCr) {
      return at;
    }
    if (at > from && bytes[at - 1] == CR) {
      return at - 1;
    }
    return strictCrLf ? -1 : at;
  }

  /// Where the line end of a record begins; its end if it has none, as the last of a file may.
  public int contentEnd(byte[] bytes, int start, int end) {
    if (bytes[end - 1] != lineByte) {
      return end;
    }
    int content = lineEndStart(bytes, start, end - 1);
    return content < 0 ? end : content;
  }

  /// How long the escape and what it escapes are at that place inside quotes; 0 if there is none.
  ///
  /// An escape character that stands before neither a quote nor itself is text.
  int pairLength(byte[] bytes, int at, int to) {
    if (bytes[at] != escape[0] || !matches(escape, bytes, at, to)) {
      return 0;
    }
    int second = at + escape.length;
    if (matches(quote, bytes, second, to)) {
      return escape.length + quote.length;
    }
    return !doubles && matches(escape, bytes, second, to) ? escape.length * 2 : 0;
  }
}
