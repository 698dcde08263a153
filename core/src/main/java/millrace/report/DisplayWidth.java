package millrace.report;

/// How many cells of a terminal a text takes: two for wide East Asian characters and most pictures,
/// none for marks that sit on the character before.
///
/// The wide ranges are those of Unicode's EastAsianWidth.txt with the property W or F, joined where
/// nothing narrow is assigned between them.
public final class DisplayWidth {

  private static final int[][] WIDE = {
    {0x1100, 0x115F},
    {0x231A, 0x231B},
    {0x23E9, 0x23EC},
    {0x2E80, 0x303E},
    {0x3041, 0x33FF},
    {0x3400, 0x4DBF},
    {0x4E00, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE10, 0xFE19},
    {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x17000, 0x18CFF},
    {0x1AFF0, 0x1B2FF},
    {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF},
    {0x1F900, 0x1FAFF},
    {0x20000, 0x3FFFD},
  };

  private DisplayWidth() {}

  /// The cells of a text without control characters.
  public static int of(String text) {
    return text.codePoints().map(DisplayWidth::of).sum();
  }

  /// The text, or as much of its beginning as fits, with an ellipsis for the rest.
  public static String cut(String text, int cells) {
    if (of(text) <= cells) {
      return text;
    }
    int used = 0;
    int end = 0;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      used += of(point);
      if (used > cells - 1) {
        break;
      }
      end += Character.charCount(point);
    }
    return text.substring(0, end) + "…";
  }

  private static int of(int point) {
    if (point < 0x300) {
      return 1;
    }
    int type = Character.getType(point);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) {
      return 0;
    }
    for (int[] range : WIDE) {
      if (point >= range[0] && point <= range[1]) {
        return 2;
      }
    }
    return 1;
  }
}
