package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import millrace.connectors.file.output.Page;
import org.jspecify.annotations.Nullable;

/// Spells text in quotes if it would not read back otherwise.
final class TextSpelling extends FieldSpelling {

  /// NUL and the line ends are below, and little else that text has.
  private static final int CONTROLS = 0x10;

  /// Quotes of several bytes can come about where text and quote meet.
  private final boolean quotesMayArise;

  TextSpelling(CsvDialect dialect) {
    super(new CsvSyntax(dialect, StandardCharsets.UTF_8));
    if (syntax.quotes) {
      special[syntax.quote[0] & 0xFF] = true;
    }
    quotesMayArise = syntax.quote.length > 1 || syntax.escape.length > 1;
  }

  @Override
  @Nullable String append(Page page, byte[] bytes, int start, int end, boolean always) {
    boolean likeNull = isNullString(bytes, start, end);
    if (!syntax.quotes) {
      String why = whyNotBare(bytes, start, end, likeNull);
      if (why == null) {
        page.append(bytes, start, end);
      }
      return why;
    }
    if (always
        || likeNull
        || start == end
        || isRisky(bytes, start, end)
        || syntax.losesBlanks(bytes, start, end)) {
      if (likeNull && syntax.quotedNull) {
        return "it is spelled as the null string, and quoted-null=true makes that missing";
      }
      return appendQuoted(page, bytes, start, end);
    }
    page.append(bytes, start, end);
    return null;
  }

  @Override
  @Nullable String appendUnlikeComment(Page page, byte[] bare) {
    return syntax.quotes
        ? appendQuoted(page, bare, 0, bare.length)
        : "it begins as a comment does, and there are no quotes to put around it";
  }

  private boolean isRisky(byte[] bytes, int start, int end) {
    if (!Swar.isFreeOf(bytes, start, end, CONTROLS, syntax.delimiter[0], syntax.quote[0])) {
      for (int at = start; at < end; at++) {
        if (special[bytes[at] & 0xFF]) {
          return true;
        }
      }
    }
    return CsvSyntax.matches(BYTE_ORDER_MARK, bytes, start, end);
  }

  private @Nullable String whyNotBare(byte[] bytes, int start, int end, boolean likeNull) {
    if (likeNull) {
      return "it is spelled as the null string, and there are no quotes to tell it apart";
    }
    for (int at = start; at < end; at++) {
      if (bytes[at] == 0) {
        return NUL;
      }
      if (bytes[at] == '\n' || bytes[at] == '\r') {
        return "it holds a line end, and there are no quotes to put around it";
      }
      if (bytes[at] == syntax.delimiter[0] && delimits(bytes, at, end)) {
        return "it holds the delimiter, and there are no quotes to put around it";
      }
    }
    if (syntax.losesBlanks(bytes, start, end)) {
      return "trim takes the blanks around it, and there are no quotes to put around it";
    }
    return CsvSyntax.matches(BYTE_ORDER_MARK, bytes, start, end)
        ? "it begins with a byte order mark, and there are no quotes to put around it"
        : null;
  }

  /// Whether the delimiter is found here once the real one follows the value.
  private boolean delimits(byte[] bytes, int at, int end) {
    int inside = Math.min(syntax.delimiter.length, end - at);
    for (int i = 0; i < inside; i++) {
      if (bytes[at + i] != syntax.delimiter[i]) {
        return false;
      }
    }
    for (int i = inside; i < syntax.delimiter.length; i++) {
      if (syntax.delimiter[i - inside] != syntax.delimiter[i]) {
        return false;
      }
    }
    return true;
  }

  private @Nullable String appendQuoted(Page page, byte[] bytes, int start, int end) {
    int before = page.length;
    page.append(syntax.quote);
    int content = page.length;
    int from = start;
    boolean mayArise = false;
    for (int at = start; at < end; at++) {
      if (bytes[at] == 0) {
        page.length = before;
        return NUL;
      }
      boolean first = bytes[at] == syntax.quote[0] || bytes[at] == syntax.escape[0];
      mayArise |= first;
      if (first && (isEscape(bytes, at, end) || CsvSyntax.matches(syntax.quote, bytes, at, end))) {
        int length = isEscape(bytes, at, end) ? syntax.escape.length : syntax.quote.length;
        page.append(bytes, from, at);
        page.append(syntax.escape);
        page.append(bytes, at, at + length);
        at += length - 1;
        from = at + 1;
      }
    }
    page.append(bytes, from, end);
    int contentEnd = page.length;
    page.append(syntax.quote);
    if (quotesMayArise && mayArise && !closesAt(page, content, contentEnd)) {
      page.length = before;
      return "its characters and the quote's run together";
    }
    return null;
  }

  private boolean isEscape(byte[] bytes, int at, int end) {
    return !syntax.doubles && CsvSyntax.matches(syntax.escape, bytes, at, end);
  }

  /// Whether a reader finds the closing quote where it was put, and the same escapes.
  private boolean closesAt(Page page, int content, int contentEnd) {
    int at = content;
    while (at < contentEnd) {
      int pair = syntax.pairLength(page.bytes, at, page.length);
      if (pair == 0 && CsvSyntax.matches(syntax.quote, page.bytes, at, page.length)) {
        return false;
      }
      at += Math.max(1, pair);
    }
    return at == contentEnd && syntax.pairLength(page.bytes, at, page.length) == 0;
  }
}
