package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.file.csv.CsvArbitraries;
import millrace.connectors.file.csv.CsvDialect;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/// What is written in a dialect reads back in it as the same values, missing, empty and all; what a
/// dialect can't say is refused, never changed.
class RoundTripTest {

  private static final List<String> CHARSETS =
      List.of("UTF-8", "windows-31j", "EUC-JP", "ISO-8859-1", "UTF-16", "UTF-16LE", "ISO-2022-JP");

  private static Path folder = Path.of("");

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("millrace-round-trip");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  record Case(
      CsvDialect dialect, String charset, List<List<@Nullable String>> rows, boolean header) {}

  @Provide
  Arbitrary<Case> cases() {
    return Combinators.combine(
            CsvArbitraries.writtenDialects(), Arbitraries.integers().between(1, 3))
        .flatAs((dialect, width) ->
            Combinators.combine(
                    rows(dialect, width), Arbitraries.of(CHARSETS), Arbitraries.of(true, false))
                .as((rows, charset, header) -> new Case(dialect, charset, rows, header)));
  }

  // The types of the library do not say that its injectNull injects nulls.
  @SuppressWarnings("NullAway")
  private static Arbitrary<List<List<@Nullable String>>> rows(CsvDialect dialect, int width) {
    return values(dialect).list().ofSize(width).list().ofMaxSize(8);
  }

  /// Values made of what has a meaning in the dialect, and of any other characters.
  @SuppressWarnings("NullAway")
  private static Arbitrary<String> values(CsvDialect dialect) {
    Arbitrary<String> rich = CsvArbitraries.contents(dialect);
    Arbitrary<String> any =
        Arbitraries.integers()
            .between(1, 0x10FFFF)
            .filter(point -> point < 0xD800 || point > 0xDFFF)
            .list()
            .ofMaxSize(6)
            .map(points ->
                points.stream().map(Character::toString).reduce("", (one, two) -> one + two));
    Arbitrary<String> marks =
        Arbitraries.of(
            "",
            dialect.nulls().text(),
            dialect.nulls().others().isEmpty() ? "" : dialect.nulls().others().getLast(),
            dialect.quotes().quote(),
            dialect.delimiter(),
            dialect.quotes().escape(),
            dialect.passedOver().comment(),
            dialect.passedOver().comment() + "x",
            " x",
            "x\t",
            "\uFEFF");
    return Arbitraries.oneOf(rich, any, marks).injectNull(0.15);
  }

  @Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
  void whatIsWrittenReadsBack(@ForAll("cases") Case given) {
    Map<String, String> parameters = new HashMap<>(Trial.parameters(given.dialect));
    boolean shifts =
        given.charset.startsWith("ISO-2022") && given.dialect.framing().lengthPrefix() > 0;
    parameters.put("charset", shifts ? "UTF-8" : given.charset);
    parameters.put("header", Boolean.toString(given.header));
    Path file = folder.resolve("rows.csv");
    int width = given.rows.isEmpty() ? 2 : given.rows.getFirst().size();
    try {
      Trial.of(file, parameters).mode(Mode.REPLACE).write(given.rows, width);
    } catch (Fault.Data fault) {
      assertThat(fault).hasMessageContaining("can't be written");
      assertThat(canAlwaysBeWritten(given)).as(fault.getMessage()).isFalse();
      return;
    }
    if (given.rows.isEmpty() && !given.header) {
      return;
    }
    assertThat(Trial.of(file, parameters).rows()).isEqualTo(given.rows);
  }

  /// With quotes of one character and all of Unicode there is nothing that can't be written.
  private static boolean canAlwaysBeWritten(Case given) {
    boolean escapes = given.dialect.escapes() && given.dialect.nulls().text().equals("\\N");
    return (escapes || given.dialect.quotes().quote().length() == 1)
        && given.dialect.quotes().escape().length() == 1
        && !given.dialect.nulls().quoted()
        && given.dialect.framing().lengthPrefix() == 0
        && given.charset.startsWith("UTF")
        && given.rows.stream()
            .allMatch(
                row -> row.stream().noneMatch(value -> value != null && value.contains("\0")));
  }

  @Example
  void everyCodePointComesBack() {
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (int from = 1; from <= Character.MAX_CODE_POINT; from += 256) {
      StringBuilder text = new StringBuilder();
      for (int point = from; point < from + 256 && point <= Character.MAX_CODE_POINT; point++) {
        if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
          text.appendCodePoint(point);
        }
      }
      rows.add(List.of(text.toString(), Integer.toHexString(from)));
    }
    Path file = folder.resolve("points.csv");
    Trial.of(file, Map.of()).write(rows, 2);
    assertThat(Trial.of(file, Map.of()).rows()).isEqualTo(rows);
    assertThat(Trial.of(file, Map.of()).lanes(2, 100_000).rows()).isEqualTo(rows);
  }

  /// All that a charset of two bytes a character has, with delimiters that are and are not part of
  /// its characters.
  @Example
  void everyCharacterOfMs932ComesBack() {
    Charset ms932 = Charset.forName("MS932");
    List<List<@Nullable String>> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int point = 1; point < 0x10000; point++) {
      String one = Character.toString(point);
      if (ms932.newEncoder().canEncode(one) && new String(one.getBytes(ms932), ms932).equals(one)) {
        text.append(one);
      }
      if (text.length() == 100) {
        rows.add(List.of(text.toString(), "次"));
        text.setLength(0);
      }
    }
    assertThat(rows).hasSizeGreaterThan(70);
    for (String delimiter : List.of(",", "tab", "|")) {
      Path file = folder.resolve("ms932.csv");
      Map<String, String> parameters = Map.of("charset", "MS932", "delimiter", delimiter);
      Trial.of(file, parameters).mode(Mode.REPLACE).write(rows, 2);
      assertThat(Trial.of(file, parameters).rows()).isEqualTo(rows);
      assertThat(Trial.of(file, parameters).lanes(2, 1_000).rows()).isEqualTo(rows);
    }
  }

  @Example
  void charactersThatTheCharsetLacksAreRefusedByName() {
    for (String text : List.of("5 €", "\u00A5", "a😀")) {
      assertThatThrownBy(() ->
              Trial.of(folder.resolve("lacks.csv"), Map.of("charset", "Shift_JIS"))
                  .write(List.of(List.of("x", "y"), List.of("z", text)), 2))
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("row 2")
          .hasMessageContaining("column 'b'")
          .hasMessageContaining("U+")
          .hasMessageContaining("Shift_JIS lacks");
      assertThat(folder.resolve("lacks.csv")).doesNotExist();
    }
  }

  @Example
  void aValueThatNeedsQuotesIsRefusedWhereThereAreNone() {
    Map<String, String> bare = Map.of("quote", "none", "delimiter", "||");
    for (String text : List.of("a||b", "a|", "", "a\nb", "a\rb")) {
      assertThatThrownBy(() -> Trial.of("-", bare).write(List.of(List.of("x", text)), 2))
          .as(text)
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("row 1, column 'b'");
    }
    Trial fine = Trial.of("-", bare);
    fine.write(List.of(Arrays.asList("a|b", null)), 2);
    assertThat(new String(fine.standardOutput(), StandardCharsets.UTF_8))
        .isEqualTo("a||b\na|b||\n");
  }
}
