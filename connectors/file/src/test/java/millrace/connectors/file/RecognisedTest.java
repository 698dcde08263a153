package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/// Spellings of dates and numbers that nobody named: recognised if the sample is sure, else text.
class RecognisedTest {

  private static Path folder = Path.of("");

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("millrace-recognised");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    Files.deleteIfExists(folder.resolve("r.csv"));
    Files.deleteIfExists(folder);
  }

  private static Trial typed(String text) {
    return Trial.of(Trial.file(folder, "r.csv", text), Map.of()).wanted(new ColumnRequest.Typed());
  }

  private static List<String> notes(String text) {
    Path file = Trial.file(folder, "r.csv", text);
    Endpoint endpoint = new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
    try (Source source = new FileConnector().source(endpoint, Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description().reading().notes();
    }
  }

  private static List<String> column(Trial trial) {
    return trial.rows().stream().map(row -> String.valueOf(row.getFirst())).toList();
  }

  private static String file(String header, List<String> values) {
    return values.stream()
        .map(value -> value + ";x\n")
        .collect(Collectors.joining("", header + ";note\n", ""));
  }

  @Provide
  Arbitrary<LocalDate> days() {
    return Arbitraries.longs()
        .between(LocalDate.of(1900, 1, 1).toEpochDay(), LocalDate.of(2100, 1, 1).toEpochDay())
        .map(LocalDate::ofEpochDay);
  }

  @Provide
  Arbitrary<String> formats() {
    return Arbitraries.of(
        "dd.MM.uuuu",
        "d.M.uuuu",
        "MM/dd/uuuu",
        "M/d/uuuu",
        "dd/MM/uuuu",
        "dd-MM-uuuu",
        "M-d-uuuu",
        "uuuu/MM/dd",
        "d-MMM-uuuu",
        "dd MMM uuuu");
  }

  @Property(tries = 600, edgeCases = EdgeCasesMode.NONE)
  void datesAreRecognisedIfOneOfThemIsSure(
      @ForAll("formats") String format,
      @ForAll @Size(min = 1, max = 6) List<@net.jqwik.api.From("days") LocalDate> days) {
    DateTimeFormatter formatter = DateTimeFormatter.ofPattern(format, Locale.ENGLISH);
    Trial trial = typed(file("day", days.stream().map(formatter::format).toList()));
    boolean isSure =
        format.startsWith("u")
            || format.contains("MMM")
            || days.stream().anyMatch(day -> day.getDayOfMonth() > 12);
    Type type = trial.schema().column(0).type();
    if (isSure) {
      assertThat(type).isEqualTo(new Type.Date());
      assertThat(column(trial)).isEqualTo(days.stream().map(LocalDate::toString).toList());
    } else {
      assertThat(type).isEqualTo(Type.Text.UNLIMITED);
      assertThat(column(trial)).isEqualTo(days.stream().map(formatter::format).toList());
    }
  }

  @Provide
  Arbitrary<BigDecimal> amounts() {
    return Arbitraries.bigDecimals()
        .between(new BigDecimal("-9999999"), new BigDecimal("9999999"))
        .ofScale(2);
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void amountsAreReadWithTheSeparatorsThatTheyHave(
      @ForAll @Size(min = 1, max = 6) List<@net.jqwik.api.From("amounts") BigDecimal> amounts,
      @ForAll boolean grouped) {
    List<String> english =
        amounts.stream()
            .map(each -> String.format(Locale.ROOT, grouped ? "%,.2f" : "%.2f", each))
            .toList();
    List<String> german =
        english.stream()
            .map(each -> each.replace('.', '_').replace(',', '.').replace('_', ','))
            .toList();
    List<String> expected = amounts.stream().map(BigDecimal::toPlainString).toList();
    assertThat(column(typed(file("amount", german)))).isEqualTo(expected);
    assertThat(column(typed(file("amount", english)))).isEqualTo(expected);
  }

  @Property(tries = 1)
  void whatWasRecognisedIsTold() {
    String text =
        "datum;betrag;am\n3.4.2025;1.234,50;1/2/2025 3:04 PM\n28.4.2025;2,5;1/31/2025 3:04 AM\n";
    assertThat(notes(text))
        .contains(
            "datum is read by --date-format 'd.M.yyyy', as its first values have it",
            "betrag is read by --decimal-separator ',' --thousands '.', as its first values have"
                + " it",
            "am is read by --timestamp-format 'M/d/yyyy h:mm a', as its first values have it");
    assertThat(typed(text).rows())
        .containsExactly(
            List.of("2025-04-03", "1234.50", "2025-01-02 15:04:00"),
            List.of("2025-04-28", "2.50", "2025-01-31 03:04:00"));
  }

  @Property(tries = 1)
  void whatIsOpenIsTextAndSaysSo() {
    String text = "d;n;m\n03/04/2024;1,234;1.234\n05/06/2024;20,300;7.500\n";
    assertThat(typed(text).rows().getFirst()).containsExactly("03/04/2024", "1,234", "1.234");
    assertThat(notes(text))
        .contains(
            "d is text: its values may be dd/MM/yyyy or MM/dd/yyyy, which --date-format can say",
            "n is text: a comma in it may stand before a fraction or between thousands, which"
                + " --decimal-separator and --thousands can say");
    assertThat(typed(text).schema().column(2).type()).isEqualTo(new Type.Decimal(18, 3));
  }

  @Property(tries = 1)
  void datesBesideZeroDatesAreTextAndSaySo() {
    String text =
        "d;t;v\n2024-02-29;0000-00-00 00:00:00;0000-00-00\n0000-00-00;2024-02-29 01:02:03;x\n";
    String end =
        " is text: some of its dates are of zeros alone, which --zero-dates null makes missing"
            + " values";
    assertThat(notes(text)).contains("d" + end, "t" + end).doesNotContain("v" + end);
  }

  /// If one column has commas before fractions, points of another may stand between thousands.
  @Property(tries = 1)
  void pointsBesideCommasAreOpen() {
    String text = "a;b;c\n1,5;1.240;1.5\n2,25;10.237;2.5\n";
    assertThat(typed(text).rows().getFirst()).containsExactly("1.50", "1.240", "1.5");
    Schema schema = typed(text).schema();
    assertThat(schema.column(1).type()).isEqualTo(Type.Text.UNLIMITED);
    assertThat(schema.column(2).type()).isEqualTo(new Type.Decimal(18, 1));
    ColumnRequest target =
        new ColumnRequest.Like(
            Schema.of(
                Stream.of("a", "b", "c")
                    .map(name -> Column.of(name, new Type.Decimal(12, 3)))
                    .toList()),
            false);
    Path file = Trial.file(folder, "r.csv", text);
    assertThatThrownBy(() -> Trial.of(file, Map.of()).wanted(target).schema())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("'b' is not sure to be numbers with points");
    Map<String, String> said = Map.of("columns", "b:decimal(12,3)");
    assertThat(Trial.of(file, said).wanted(target).rows().getFirst())
        .containsExactly("1.500", "1.240", "1.500");
  }

  @Property(tries = 1)
  void aTargetsTypesAreReadByWhatWasRecognised() {
    ColumnRequest target =
        new ColumnRequest.Like(
            Schema.of(
                List.of(
                    Column.of("d", new Type.Date()),
                    Column.of("n", new Type.Decimal(9, 2)),
                    Column.of("t", Type.Text.UNLIMITED))),
            false);
    Path file = Trial.file(folder, "r.csv", "d;n;t\n31.01.2025;1,5;31.01.2025\n01.02.2025;2,5;1\n");
    assertThat(Trial.of(file, Map.of()).wanted(target).rows())
        .containsExactly(
            List.of("2025-01-31", "1.50", "31.01.2025"), List.of("2025-02-01", "2.50", "1"));
  }

  @Property(tries = 1)
  void aLaterValueThatIsSpelledOtherwiseIsABadRecord() {
    StringBuilder text = new StringBuilder("d;n\n");
    for (int i = 0; i < 100_000; i++) {
      text.append("28.02.2025;").append(i).append(",5\n");
    }
    assertThatThrownBy(() -> typed(text + "02/28/2025;1,5\n").read())
        .hasMessageContaining("'02/28/2025' is no date");
    assertThatThrownBy(() -> typed(text + "28.02.2025;1.5\n").read())
        .hasMessageContaining("'1.5' is no decimal");
  }

  @Property(tries = 1)
  void aFirstRecordThatIsSpelledSoIsNoHeader() {
    assertThat(typed("31.01.2025;1,5\n01.02.2025;2,5\n").rows()).hasSize(2);
    assertThat(typed("31.01.2025;1,5\n01.02.2025;2,5\n").schema().names())
        .containsExactly("column1", "column2");
  }
}
