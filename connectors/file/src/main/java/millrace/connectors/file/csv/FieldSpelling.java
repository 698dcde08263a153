package millrace.connectors.file.csv;

import java.util.Arrays;
import millrace.connectors.file.output.Page;
import org.jspecify.annotations.Nullable;

/// Spells text as fields of a dialect, in UTF-8. Whatever it writes reads back as the same text, or
/// it says why that can't be.
abstract sealed class FieldSpelling permits TextSpelling, EscapedSpelling {

  static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  static final String NUL = "it holds a NUL character, which no reader takes";

  final CsvSyntax syntax;

  /// Bytes that make a look at the whole value necessary.
  final boolean[] special = new boolean[256];

  FieldSpelling(CsvSyntax syntax) {
    this.syntax = syntax;
    special[syntax.delimiter[0] & 0xFF] = true;
    special[0] = true;
    special['\n'] = true;
    special['\r'] = true;
  }

  static FieldSpelling of(CsvDialect dialect) {
    return dialect.escapes() ? new EscapedSpelling(dialect) : new TextSpelling(dialect);
  }

  /// Whether that byte may have a meaning.
  final boolean isSpecial(int unsigned) {
    return special[unsigned];
  }

  /// How a missing value is spelled.
  final byte[] nullString() {
    return syntax.nullString;
  }

  final boolean isNullString(byte[] bytes, int start, int end) {
    return syntax.isNull(bytes, start, end);
  }

  /// Spells the first value of a record anew if its line would be a comment.
  ///
  /// @param at where the value begins on the page, at whose end it ends
  /// @return null, or why that can't be: the page ends where the value began then
  final @Nullable String unlikeComment(Page page, int at) {
    if (!syntax.isComment(page.bytes, at, page.length)) {
      return null;
    }
    byte[] bare = Arrays.copyOfRange(page.bytes, at, page.length);
    page.length = at;
    return appendUnlikeComment(page, bare);
  }

  /// @param bare how the value was spelled
  abstract @Nullable String appendUnlikeComment(Page page, byte[] bare);

  /// Appends a value.
  ///
  /// @param always whether to quote in any case, if there are quotes
  /// @return null, or why it can't be written: nothing was appended then
  abstract @Nullable String append(Page page, byte[] bytes, int start, int end, boolean always);
}
