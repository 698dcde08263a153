package millrace.connectors.file.csv;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.Tokenizer.Problem;
import org.jspecify.annotations.Nullable;

/// The rules of escaped text spelled out one byte at a time, with nothing clever: what the fast
/// code is compared with. Bytes are held as characters of ISO 8859-1.
final class ReferenceText {

  private static final String LETTERS = "bfnrtvZ";
  private static final String MEANINGS = "\b\f\n\r\t\u000B\u001A";

  private final CsvDialect dialect;
  private final String text;
  private final int width;
  private final char escape;
  private final String delimiter;
  private final List<String> nullStrings;
  private int at;
  private @Nullable Problem problem;

  private ReferenceText(CsvDialect dialect, String text, int width) {
    this.dialect = dialect;
    this.text = bytes(text);
    this.width = width;
    escape = dialect.quotes().escape().charAt(0);
    delimiter = bytes(dialect.delimiter());
    nullStrings = dialect.nulls().all().stream().map(ReferenceText::bytes).toList();
  }

  /// All records of a text; blank lines and end marks are none.
  static List<ReferenceCsv.Read> read(CsvDialect dialect, String text, int width) {
    return new ReferenceText(dialect, text, width).all();
  }

  private static String bytes(String characters) {
    return new String(characters.getBytes(UTF_8), ISO_8859_1);
  }

  private List<ReferenceCsv.Read> all() {
    List<ReferenceCsv.Read> all = new ArrayList<>();
    while (at < text.length()) {
      int start = at;
      String comment = bytes(dialect.passedOver().comment());
      if (!comment.isEmpty() && text.startsWith(comment, at)) {
        while (at < text.length() && lineEnd() == 0) {
          at++;
        }
        at += lineEnd();
        continue;
      }
      long line = 1 + text.substring(0, start).chars().filter(this::isLineByte).count();
      problem = null;
      List<@Nullable String> fields = new ArrayList<>();
      int end = record(fields);
      String content = text.substring(start, end);
      boolean skipsBlank = width > 1 || dialect.framing().trailingDelimiter();
      if (content.equals(escape + ".") || (content.isEmpty() && skipsBlank)) {
        continue;
      }
      Problem found = problem(content, fields);
      ReferenceCsv.Wrong wrong =
          found == null ? null : new ReferenceCsv.Wrong(found, 0, 0, ReferenceCsv.NOT_TOLD);
      all.add(new ReferenceCsv.Read(fields, start, at, line, wrong));
    }
    return all;
  }

  private boolean isLineByte(int each) {
    return each == (dialect.framing().newline() == Newline.CR ? '\r' : '\n');
  }

  private @Nullable Problem problem(String content, List<@Nullable String> fields) {
    int count = fields.size();
    if (dialect.framing().trailingDelimiter()) {
      boolean trails = content.isEmpty() || lastIsEmpty;
      if (trails) {
        fields.removeLast();
        count--;
      } else if (count == width && problem == null) {
        problem = Problem.NO_TRAILING_DELIMITER;
      }
    }
    if (count != width && problem == null) {
      problem = count < width ? Problem.TOO_FEW_FIELDS : Problem.TOO_MANY_FIELDS;
    }
    return problem;
  }

  private boolean lastIsEmpty;

  /// Reads one record; returns where its line end begins.
  private int record(List<@Nullable String> fields) {
    while (true) {
      int start = at;
      StringBuilder value = new StringBuilder();
      while (at < text.length() && lineEnd() == 0 && !text.startsWith(delimiter, at)) {
        if (text.charAt(at) == escape) {
          value.append(escaped());
        } else {
          value.append(text.charAt(at++));
        }
      }
      String raw = text.substring(start, at);
      lastIsEmpty = raw.isEmpty();
      fields.add(nullStrings.contains(raw) ? null : decoded(value.toString(), raw));
      if (at == text.length() || lineEnd() > 0) {
        int end = at;
        at += lineEnd();
        return end;
      }
      at += delimiter.length();
    }
  }

  /// How long the line end is that begins here; 0 if there is none.
  private int lineEnd() {
    return switch (dialect.framing().newline()) {
      case CR -> text.startsWith("\r", at) ? 1 : 0;
      case CRLF -> text.startsWith("\r\n", at) ? 2 : 0;
      case LF_OR_CRLF -> text.startsWith("\r\n", at) ? 2 : text.startsWith("\n", at) ? 1 : 0;
      case LF, AUTO -> text.startsWith("\n", at) ? 1 : 0;
    };
  }

  private String escaped() {
    at++;
    if (at == text.length()) {
      problem = problem == null ? Problem.LONE_ESCAPE : problem;
      return "";
    }
    char each = text.charAt(at);
    boolean hex = each == 'x' && digits(at + 1, 2, 16) > 0;
    int octal = digits(at, 3, 8);
    if (hex || octal > 0) {
      int from = hex ? at + 1 : at;
      int end = from + (hex ? digits(from, 2, 16) : octal);
      int number = Integer.parseInt(text.substring(from, end), hex ? 16 : 8);
      at = end;
      if ((number == 0 || number > 255) && problem == null) {
        problem = Problem.BAD_ESCAPE;
      }
      return Character.toString(number & 0xFF);
    }
    at++;
    int letter = LETTERS.indexOf(each);
    return Character.toString(letter < 0 ? each : MEANINGS.charAt(letter));
  }

  private int digits(int from, int most, int radix) {
    int count = 0;
    while (count < most
        && from + count < text.length()
        && text.charAt(from + count) < 128
        && Character.digit(text.charAt(from + count), radix) >= 0) {
      count++;
    }
    return count;
  }

  private String decoded(String value, String raw) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(value.getBytes(ISO_8859_1))).toString();
    } catch (CharacterCodingException e) {
      assert raw.indexOf(escape) >= 0;
      problem = problem == null ? Problem.BAD_ESCAPE : problem;
      return "";
    }
  }
}
