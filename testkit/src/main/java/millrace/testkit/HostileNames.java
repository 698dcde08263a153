package millrace.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/// Names that would mean something else wherever they are not taken as names: for tables, columns
/// and files in property tests.
public final class HostileNames {

  private static final int PIECES_MAX = 5;
  private static final int CHARACTERS_MAX = 30;

  private static final List<String> PIECES =
      List.of(
          "\"",
          "\"\"",
          "'",
          ";",
          "--",
          "/*",
          "*/",
          "\\",
          "$$",
          "$1",
          "?",
          "%",
          "%22",
          "%s",
          "&",
          "=",
          "#",
          "+",
          "{fn",
          "}",
          "(",
          ")",
          ",",
          ".",
          ":",
          "@",
          " ",
          "\t",
          "\n",
          "\r\n",
          "\0",
          "select",
          "table",
          "user",
          "NULL",
          "rowid",
          "main",
          "temp",
          "Aa",
          "İ",
          "水",
          "😀",
          "e\u0301",
          "\u202e",
          "\u007f",
          "n".repeat(40),
          "水".repeat(20),
          "; DROP TABLE kept; --",
          "\"; DROP TABLE kept; --",
          "'); DROP TABLE kept; --",
          "\" (n int); CREATE TABLE more AS SELECT 1; --",
          "&table=kept&mode=replace",
          "&sslmode=disable",
          "\"; COPY kept TO PROGRAM 'true'; --",
          "''",
          ":x",
          "%n",
          "\r",
          "SELECT",
          "null",
          "ß",
          "\u00a0",
          "\u0001",
          "millrace_split",
          "ctid",
          "xmin",
          "COPY",
          "E'\\'",
          "U&\"");

  private HostileNames() {}

  /// Any of them, of valid Unicode; they may be too long for a system, or hold what it refuses.
  public static Arbitrary<String> any() {
    return Arbitraries.oneOf(
        Arbitraries.of(PIECES)
            .list()
            .ofMinSize(1)
            .ofMaxSize(PIECES_MAX)
            .map(some -> String.join("", some)),
        Arbitraries.strings()
            .all()
            .ofMinLength(1)
            .ofMaxLength(CHARACTERS_MAX)
            .filter(name -> StandardCharsets.UTF_8.newEncoder().canEncode(name)));
  }
}
