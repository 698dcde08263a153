package millrace.connectors.postgres.net;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.postgres.catalog.QualifiedName;
import org.jspecify.annotations.Nullable;

/// Where a COPY was when it failed, read off the context of the server's error: `COPY t, line 5,
/// column a: "x"`, or that in whatever language the server speaks (`lc_messages`): `COPY t, Zeile
/// 5, Spalte a: »x«`, `tのCOPY、行 5、列 a: "x"`, `t 복사, 5번째 줄, a 열: "x"`.
///
/// @param number of the line, from 1
/// @param rest what stands behind the number
public record CopyLine(long number, String rest) {

  /// The word behind the table's name in those languages that begin with the name.
  private static final String COPY_BEHIND = "(?:の\\s?COPY| 복사)";

  private static final Pattern NUMBER =
      Pattern.compile(COPY_BEHIND + "?[,、，][^\\d\\n:]*(\\d{1,18})");

  /// Behind the number, up to the column's name, before which some languages have one more word.
  private static final Pattern COLUMN = Pattern.compile("[^,、，:\\n]*[,、，]\\s*(\\p{L}+\\s)?");

  /// Behind the column's name, up to the value.
  private static final Pattern VALUE = Pattern.compile("(?:\\s\\p{L}+)?\\s?:\\s");

  private static final String ANY_TABLE =
      "^(?:COPY [^\"\\n]*?|[^\"\\n]*?" + COPY_BEHIND + ")[,、，][^\\d\\n:]*\\d+[^,、，:\\n\"]*";

  /// At some row of whatever table.
  private static final Pattern ANY = Pattern.compile(ANY_TABLE, Pattern.MULTILINE);

  private static final Pattern ANY_COLUMN =
      Pattern.compile(ANY_TABLE + "[,、，]\\s*\\S", Pattern.MULTILINE);

  /// What the context says of a COPY into that table; null if it says nothing of one.
  public static @Nullable CopyLine of(String context, QualifiedName table) {
    int start = 0;
    while (start >= 0 && start < context.length()) {
      String line = context.substring(start);
      for (String before : List.of("COPY " + table.name(), table.name())) {
        Matcher number = NUMBER.matcher(line);
        if (line.startsWith(before) && number.region(before.length(), line.length()).lookingAt()) {
          return new CopyLine(Long.parseLong(number.group(1)), line.substring(number.end()));
        }
      }
      start = context.indexOf('\n', start) + 1;
      start = start == 0 ? -1 : start;
    }
    return null;
  }

  /// Whether the server was at some row of a COPY.
  public static boolean isIn(String context) {
    return ANY.matcher(context).find();
  }

  /// Whether it was at some column of a row of a COPY.
  public static boolean isInColumn(String context) {
    return ANY_COLUMN.matcher(context).find();
  }

  /// Which of these columns is named; empty for none. It is the longest name that stands there:
  /// names may hold commas and colons.
  public String column(List<String> columns) {
    String behindWord = longest(columns, place(true));
    return behindWord.isEmpty() ? longest(columns, place(false)) : behindWord;
  }

  /// Where the column's name begins, behind a word of the language or not; -1 if none does.
  private int place(boolean behindWord) {
    Matcher before = COLUMN.matcher(rest);
    if (!before.lookingAt()) {
      return -1;
    }
    boolean hasWord = before.group(1) != null;
    if (behindWord) {
      return hasWord ? before.end() : -1;
    }
    return hasWord ? before.start(1) : before.end();
  }

  private String longest(List<String> columns, int at) {
    String best = "";
    for (String name : columns) {
      if (at >= 0 && rest.startsWith(name, at) && name.length() > best.length()) {
        best = name;
      }
    }
    return best;
  }

  /// The value of that column, as the server shows it; empty if it shows none.
  public String value(String column) {
    int at = place(!longest(List.of(column), place(true)).isEmpty());
    Matcher after = VALUE.matcher(rest);
    return at >= 0
            && rest.startsWith(column, at)
            && after.region(at + column.length(), rest.length()).lookingAt()
        ? rest.substring(after.end())
        : "";
  }
}
