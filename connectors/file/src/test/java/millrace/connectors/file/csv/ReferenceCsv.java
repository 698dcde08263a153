package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.csv.Tokenizer.Problem;
import org.jspecify.annotations.Nullable;

/// The rules of delimited text spelled out one character at a time, with nothing clever: what the
/// fast code is compared with.
public final class ReferenceCsv {

  /// A record as the reference reads it.
  ///
  /// @param fields its values, null for missing ones; of a bad record as far as it was read
  /// @param start bytes before it
  /// @param end bytes before what follows it
  /// @param line the line that it starts on, from 1
  /// @param wrong the first that is wrong with it, or null
  public record Read(
      List<@Nullable String> fields, int start, int end, long line, @Nullable Wrong wrong) {}

  /// Of a problem whose place and number the reference does not tell.
  static final long NOT_TOLD = -1;

  /// What is wrong with a record.
  ///
  /// @param column in which field, from 0
  /// @param at bytes before it
  /// @param found the number of fields or bytes that it is about
  public record Wrong(Problem problem, int column, int at, long found) {}

  private final CsvDialect dialect;
  private final String text;
  private final int width;
  private final int fieldBytesMax;
  private int at;
  private int column;
  private @Nullable Wrong wrong;
  private boolean lastIsEmpty;

  private ReferenceCsv(CsvDialect dialect, String text, int width, int fieldBytesMax) {
    this.dialect = dialect;
    this.text = text;
    this.width = width;
    this.fieldBytesMax = fieldBytesMax;
  }

  /// All records of a text, blank lines left out if they are no records.
  public static List<Read> read(CsvDialect dialect, String text, int width) {
    return read(dialect, text, width, Integer.MAX_VALUE);
  }

  /// Fields of more bytes than that are bad, the quotes around them not counted.
  static List<Read> read(CsvDialect dialect, String text, int width, int fieldBytesMax) {
    return dialect.escapes()
        ? ReferenceText.read(dialect, text, width)
        : new ReferenceCsv(dialect, text, width, fieldBytesMax).all();
  }

  private List<Read> all() {
    List<Read> all = new ArrayList<>();
    boolean skipsBlank =
        width > 1
            || dialect.framing().trailingDelimiter()
            || dialect.framing().lengthPrefix() > 0
            || dialect.framing().documents();
    while (at < text.length()) {
      int start = at;
      if (skipsBlank && lineEnd() > 0) {
        at += lineEnd();
        continue;
      }
      String comment = dialect.passedOver().comment();
      if (!comment.isEmpty() && text.startsWith(comment, at)) {
        while (at < text.length() && lineEnd() == 0) {
          at++;
        }
        at += lineEnd();
        continue;
      }
      wrong = null;
      column = 0;
      List<@Nullable String> fields = record();
      all.add(new Read(fields, bytes(start), bytes(at), line(start), wrong));
    }
    return all;
  }

  private List<@Nullable String> record() {
    int start = at;
    int digits = 0;
    while (digits < dialect.framing().lengthPrefix()
        && at < text.length()
        && isDigit(text.charAt(at))) {
      at++;
      digits++;
    }
    int first = at;
    if (digits < dialect.framing().lengthPrefix()) {
      found(Problem.NO_LENGTH, start, digits);
    }
    List<@Nullable String> fields = new ArrayList<>();
    do {
      column = fields.size();
      fields.add(field());
    } while (delimiter());
    // Nothing is left to stand there if a quote was never closed.
    at += lineEnd();
    int length = bytes(at) - bytes(first);
    if (wrong == null
        && dialect.framing().lengthPrefix() > 0
        && Long.parseLong(text.substring(start, first)) != length) {
      found(Problem.WRONG_LENGTH, start, length);
    }
    checkCount(start, fields);
    return fields;
  }

  private void checkCount(int start, List<@Nullable String> fields) {
    if (dialect.framing().trailingDelimiter() && lastIsEmpty) {
      fields.removeLast();
    } else if (dialect.framing().trailingDelimiter() && fields.size() == width) {
      found(Problem.NO_TRAILING_DELIMITER, at, width);
    }
    if (fields.size() != width) {
      found(
          fields.size() < width ? Problem.TOO_FEW_FIELDS : Problem.TOO_MANY_FIELDS,
          start,
          fields.size());
    }
  }

  /// Keeps the first problem of a record.
  private void found(Problem problem, int place, int count) {
    if (wrong == null) {
      wrong = new Wrong(problem, column, bytes(place), count);
    }
  }

  private void checkLength(int from, int end) {
    int length = bytes(end) - bytes(from);
    if (length > fieldBytesMax) {
      found(Problem.FIELD_TOO_LONG, from, length);
    }
  }

  private boolean isBlank(int place) {
    char each = text.charAt(place);
    return dialect.passedOver().blanks()
        && (each == ' ' || (each == '\t' && !dialect.delimiter().startsWith("\t")));
  }

  private @Nullable String field() {
    int raw = at;
    while (at < text.length() && isBlank(at)) {
      at++;
    }
    if (!dialect.quotes().quote().isEmpty() && text.startsWith(dialect.quotes().quote(), at)) {
      lastIsEmpty = false;
      return quoted();
    }
    at = raw;
    String value = untilSeparator();
    checkLength(raw, at);
    lastIsEmpty = value.isEmpty();
    int from = raw;
    int end = at;
    while (from < end && isBlank(from)) {
      from++;
    }
    while (end > from && isBlank(end - 1)) {
      end--;
    }
    value = text.substring(from, end);
    return dialect.nulls().all().contains(value) ? null : value;
  }

  private @Nullable String quoted() {
    String quote = dialect.quotes().quote();
    String escape = dialect.quotes().escape();
    StringBuilder value = new StringBuilder();
    int open = at;
    at += quote.length();
    int from = at;
    while (true) {
      if (at >= text.length()) {
        found(Problem.UNTERMINATED_QUOTE, open, bytes(at) - bytes(from));
        return null;
      } else if (text.startsWith(escape + quote, at)) {
        value.append(quote);
        at += escape.length() + quote.length();
      } else if (!dialect.quotes().doubles() && text.startsWith(escape + escape, at)) {
        value.append(escape);
        at += escape.length() * 2;
      } else if (text.startsWith(quote, at)) {
        at += quote.length();
        break;
      } else {
        value.append(text.charAt(at++));
      }
    }
    int closed = at;
    while (at < text.length() && isBlank(at)) {
      at++;
    }
    int after = at;
    if (!untilSeparator().isEmpty()) {
      found(Problem.TEXT_AFTER_QUOTE, after, bytes(at) - bytes(after));
    }
    checkLength(from, closed - quote.length());
    boolean missing = dialect.nulls().quoted() && dialect.nulls().all().contains(value.toString());
    return missing ? null : value.toString();
  }

  private String untilSeparator() {
    int from = at;
    while (at < text.length() && lineEnd() == 0 && !text.startsWith(dialect.delimiter(), at)) {
      at++;
    }
    return text.substring(from, at);
  }

  private boolean delimiter() {
    boolean found = text.startsWith(dialect.delimiter(), at);
    at += found ? dialect.delimiter().length() : 0;
    return found;
  }

  /// How long the line end is that stands here; 0 for none.
  private int lineEnd() {
    return switch (dialect.framing().newline()) {
      case LF -> text.startsWith("\n", at) ? 1 : 0;
      case CR -> text.startsWith("\r", at) ? 1 : 0;
      case CRLF -> text.startsWith("\r\n", at) ? 2 : 0;
      case LF_OR_CRLF, AUTO -> text.startsWith("\r\n", at) ? 2 : text.startsWith("\n", at) ? 1 : 0;
    };
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  private int bytes(int characters) {
    return text.substring(0, characters).getBytes(StandardCharsets.UTF_8).length;
  }

  private long line(int characters) {
    char end = dialect.framing().newline() == CsvDialect.Newline.CR ? '\r' : '\n';
    return 1 + text.substring(0, characters).chars().filter(each -> each == end).count();
  }
}
