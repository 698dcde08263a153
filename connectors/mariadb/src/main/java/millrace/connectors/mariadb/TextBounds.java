package millrace.connectors.mariadb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Check;
import millrace.data.BytesVector;
import org.jspecify.annotations.Nullable;

/// What columns of text keep as it is. CHAR drops spaces at the end, and ENUM takes the text '1'
/// for its first word.
final class TextBounds {

  private static final Pattern WORD = Pattern.compile("'((?:[^']|'')*)'");
  private static final Pattern SET = Pattern.compile("CHARACTER SET (\\w+)");
  private static final int LAST_BMP = 0xFFFF;

  /// Character sets that Java knows to the last character, by the server's names. The server
  /// refuses by itself what others lack.
  private static final Map<String, Charset> CHARSETS =
      Map.of("ASCII", US_ASCII, "UTF16", UTF_16BE, "UTF8MB4", UTF_8);

  private TextBounds() {}

  static Check of(String declared) {
    String bare = TypeTable.bare(declared);
    Matcher set = SET.matcher(bare);
    String charset = set.find() ? set.group(1) : "UTF8MB4";
    boolean isChar = bare.startsWith("CHAR");
    long characters =
        isChar || bare.startsWith("VARCHAR")
            ? ColumnBounds.number(declared, 0, 1)
            : Integer.MAX_VALUE;
    long bytesMax =
        bare.startsWith("TINYTEXT")
            ? 255
            : bare.startsWith("TEXT")
                ? 65_535
                : bare.startsWith("MEDIUMTEXT") ? (1 << 24) - 1 : Integer.MAX_VALUE;
    boolean countsUtf8 = charset.startsWith("UTF8");
    return (from, at) -> {
      BytesVector texts = (BytesVector) from;
      int bytes = texts.ends[at] - texts.starts[at];
      if (countsUtf8 && bytes > bytesMax) {
        return "is longer than the column's " + bytesMax + " bytes";
      }
      if (isChar && bytes > 0 && texts.bytes[texts.ends[at] - 1] == ' ') {
        return "would lose the spaces at its end";
      }
      if (bytes <= characters && charset.equals("UTF8MB4")) {
        return null;
      }
      String text = texts.text(at);
      return text.codePointCount(0, text.length()) > characters
          ? "is longer than the column's " + characters + " characters"
          : lacks(charset, text);
    };
  }

  /// Why a character set does not have all characters of a text; null if it does.
  private static @Nullable String lacks(String charset, String text) {
    boolean hasAll =
        switch (charset) {
          case "UTF8", "UTF8MB3", "UCS2" -> text.codePoints().allMatch(c -> c <= LAST_BMP);
          case "LATIN1" -> text.codePoints().allMatch(TextBounds::isLatin1);
          default -> {
            Charset known = CHARSETS.get(charset);
            CharsetEncoder encoder = known == null ? null : known.newEncoder();
            yield encoder == null || encoder.canEncode(text);
          }
        };
    return hasAll
        ? null
        : "has characters that the column's character set "
            + charset.toLowerCase(Locale.ROOT)
            + " lacks";
  }

  /// The server's latin1 is Windows' code page 1252; its five empty places stand for themselves.
  private static boolean isLatin1(int c) {
    return c < 0x80
        || (c >= 0xA0 && c <= 0xFF)
        || "\u0081\u008D\u008F\u0090\u009D".indexOf(c) >= 0
        || "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ".indexOf(c) >= 0;
  }

  /// The words of an ENUM or a SET, in their order.
  static List<String> wordsOf(String declared) {
    List<String> words = new ArrayList<>();
    String list = declared.substring(declared.indexOf('(') + 1, declared.lastIndexOf(')'));
    Matcher word = WORD.matcher(list);
    while (word.find()) {
      words.add(word.group(1).replace("''", "'"));
    }
    return words;
  }

  static Check words(String declared) {
    List<String> words = wordsOf(declared);
    boolean isSet = declared.toUpperCase(Locale.ROOT).startsWith("SET");
    return (from, at) -> {
      String text = ((BytesVector) from).text(at);
      if (!isSet) {
        return words.contains(text) ? null : "is none of the column's words";
      }
      int last = -1;
      for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
        int index = words.indexOf(each);
        if (index <= last) {
          return index < 0
              ? "has a word that the column does not have"
              : "has the column's words in another order";
        }
        last = index;
      }
      return null;
    };
  }
}
