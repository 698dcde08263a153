package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import millrace.connectors.file.output.Page;
import org.jspecify.annotations.Nullable;

/// Spells text with an escape before what has a meaning. It uses only what MySQL, PostgreSQL and
/// {@link EscapedTokenizer} read alike: the letters `n`, `r` and `t`, and signs for themselves.
final class EscapedSpelling extends FieldSpelling {

  private final byte escape;

  EscapedSpelling(CsvDialect dialect) {
    super(new CsvSyntax(dialect, StandardCharsets.UTF_8));
    escape = syntax.escape[0];
    special[escape & 0xFF] = true;
    special['\t'] = true;
  }

  @Override
  @Nullable String append(Page page, byte[] bytes, int start, int end, boolean always) {
    int before = page.length;
    if (CsvSyntax.matches(BYTE_ORDER_MARK, bytes, start, end)) {
      // At the front of a file it would be taken for the file's own.
      page.append(escape);
    }
    int from = start;
    for (int at = start; at < end; at++) {
      byte each = bytes[at];
      if (!special[each & 0xFF]) {
        continue;
      }
      if (each == 0) {
        page.length = before;
        return NUL;
      }
      page.append(bytes, from, at);
      page.append(escape);
      page.append(letter(each));
      from = at + 1;
    }
    page.append(bytes, from, end);
    if (isNullString(page.bytes, before, page.length)) {
      page.length = before;
      return appendUnlikeNull(page, bytes, start, end);
    }
    return null;
  }

  @Override
  @Nullable String appendUnlikeComment(Page page, byte[] bare) {
    if (!isSign(bare[0])) {
      return "it begins as a comment does, and no escape can tell it apart";
    }
    page.append(escape);
    page.append(bare, 0, bare.length);
    return null;
  }

  private static byte letter(byte each) {
    return switch (each) {
      case '\n' -> 'n';
      case '\r' -> 'r';
      case '\t' -> 't';
      default -> each;
    };
  }

  /// A text that is spelled as the null string gets an escape before a sign that stands for itself.
  private @Nullable String appendUnlikeNull(Page page, byte[] bytes, int start, int end) {
    boolean isPlain = isNullString(bytes, start, end);
    for (int at = start; isPlain && at < end; at++) {
      if (isSign(bytes[at])) {
        page.append(bytes, start, at);
        page.append(escape);
        page.append(bytes, at, end);
        return null;
      }
    }
    return "it is spelled as the null string, and no escape can tell it apart";
  }

  private static boolean isSign(byte each) {
    return each > ' ' && each != '.' && !Character.isLetterOrDigit(each);
  }
}
