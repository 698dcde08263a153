package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.read.ColumnRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Numbers with other separators than a point, with units, and whole numbers.
class NumbersTest {

  @TempDir private Path folder = Path.of("");

  private Trial typed(String text, Map<String, String> options) {
    return Trial.of(Trial.file(folder, "n.csv", text), options).wanted(new ColumnRequest.Typed());
  }

  @Test
  void theSeparatorsAreThoseThatAreSaid() {
    String text = "a;b\n1.234.567,80;1\n-0,5;2.000\n";
    Map<String, String> options = Map.of("decimal-separator", ",", "thousands", ".");
    Trial trial = typed(text, options);
    assertThat(trial.schema().column(0).type()).isEqualTo(new Type.Decimal(18, 2));
    assertThat(trial.schema().column(1).type()).isEqualTo(new Type.Int(64));
    assertThat(trial.rows()).containsExactly(List.of("1234567.80", "1"), List.of("-0.50", "2000"));
  }

  @Test
  void aWrongGroupIsABadRecordThatIsNamed() {
    String text = "a;b\n\"1,234.5\";1\n\"1,23\";2\n";
    Map<String, String> options = Map.of("thousands", ",", "columns", "a:decimal(9,2)");
    assertThatThrownBy(() -> typed(text, options).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("line 3")
        .hasMessageContaining("'1,23' is no decimal(9,2)");
  }

  @Test
  void unitsAreReadIfTheyAreSaid() {
    String text = "share,cost\n12.5%,$1\n-8 %,\"US$ 2,500.00\"\n7%,-$3\n";
    Map<String, String> options =
        Map.of("thousands", ",", "columns", "share:decimal(5,2)(percent),cost:float64(usd)");
    assertThat(typed(text, options).rows())
        .containsExactly(List.of("12.50", "1"), List.of("-8.00", "2500"), List.of("7.00", "-3"));
    Map<String, String> euros = Map.of("columns", "cost:decimal(9,2)(eur)");
    assertThatThrownBy(() -> typed(text, euros).read()).isInstanceOf(Fault.Data.class);
    assertThat(typed(text, Map.of()).schema().column(0).type()).isEqualTo(Type.Text.UNLIMITED);
  }

  @Test
  void aPercentageWithoutItsSignIsABadRecord() {
    Map<String, String> options = Map.of("columns", "share:decimal(5,2)(percent)");
    assertThatThrownBy(() -> typed("share,n\n12%,1\n0.12,2\n", options).read())
        .hasMessageContaining("line 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1,234.50   | decimal(9,2) | if it is a number, say thousands=,
          1.234,50   | decimal(9,2) | say decimal-separator=, and thousands=.
          12,5       | float64      | say decimal-separator=,
          1'000.5    | float64      | say thousands='
          12%        | decimal(9,2) | a unit is said as decimal(9,2)(percent) in columns
          € 5        | int64        | a unit is said as int64(eur) in columns
          12.5       | int64        | is no int64
          """)
  void whatMayBeMeantIsSaid(String value, String type, String words) {
    String text = "id\tn\n1\t" + value + "\n2\tunknown\n";
    Path file = Trial.file(folder, "n.tsv", text);
    assertThatThrownBy(() -> Trial.of(file, Map.of("columns", "n:" + type)).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(words);
  }

  @Test
  void wholeNumbersGoIntoIntegersAndOthersDoNot() {
    ColumnRequest target =
        new ColumnRequest.Like(Schema.of(List.of(Column.of("v", new Type.Int(32)))), false);
    Path file = Trial.file(folder, "w.csv", "v\n12.0\n1e3\n-7\n");
    assertThat(Trial.of(file, Map.of()).wanted(target).rows())
        .containsExactly(List.of("12"), List.of("1000"), List.of("-7"));
    for (String other : List.of("12.5", "1e-3", "12.000", "3e9")) {
      Path bad = Trial.file(folder, "bad.csv", "v\n1\n" + other + "\n");
      assertThatThrownBy(() -> Trial.of(bad, Map.of()).wanted(target).read())
          .as(other)
          .hasMessageContaining("'" + other + "' is no int32");
    }
  }

  @Test
  void aGuessedIntegerIsSpelledAsOne() {
    StringBuilder text = new StringBuilder("v\n");
    for (int i = 0; i < 300_000; i++) {
      text.append(i).append('\n');
    }
    assertThatThrownBy(() -> typed(text + "12.0\n", Map.of("header", "true")).read())
        .hasMessageContaining("'12.0' is no int64");
    assertThatThrownBy(() -> typed(text + "1e2\n", Map.of("header", "true")).read())
        .hasMessageContaining("'1e2' is no int64");
  }

  @Test
  void zeroDatesAreMissingIfSaid() {
    String text = "born,seen\n2001-02-03,2001-02-03 04:05:06\n0000-00-00,0000-00-00 00:00:00\n";
    List<@Nullable String> missing = Arrays.asList(null, null);
    Trial trial = typed(text, Map.of("zero-dates", "null"));
    assertThat(trial.schema().column(0).type()).isEqualTo(new Type.Date());
    assertThat(trial.schema().column(1).type()).isEqualTo(new Type.Timestamp(false));
    assertThat(trial.rows().get(1)).isEqualTo(missing);
    assertThatThrownBy(() -> typed(text, Map.of("columns", "born:date")).read())
        .hasMessageContaining("'0000-00-00' is no date (zero-dates=null makes it missing)");
    String odd = "born,n\n2001-00-00,1\n";
    assertThatThrownBy(
            () -> typed(odd, Map.of("zero-dates", "null", "columns", "born:date")).read())
        .hasMessageContaining("'2001-00-00' is no date");
    assertThat(typed("born,n\n0009-12-04,1\n", Map.of()).rows())
        .containsExactly(List.of("0009-12-04", "1"));
  }

  @ParameterizedTest
  @CsvSource({
    "epoch s, 1500953104, 2017-07-25 03:25:04+00",
    "epoch s, -1.5, 1969-12-31 23:59:58.5+00",
    "epoch ms, 1500953104123, 2017-07-25 03:25:04.123+00",
    "epoch us, 0, 1970-01-01 00:00:00+00",
    "epoch ns, 1500953104123456000, 2017-07-25 03:25:04.123456+00",
  })
  void timestampsMayCountFrom1970(String unit, String value, String expected) {
    Map<String, String> options = Map.of("columns", "t:timestamptz(" + unit + ")");
    assertThat(typed("t,n\n" + value + ",1\n", options).rows())
        .containsExactly(List.of(expected, "1"));
  }

  @ParameterizedTest
  @CsvSource({
    "epoch ns, 1500953104123456789",
    "epoch s, 1e9",
    "epoch s, 2017-07-25 03:25:04",
    "epoch s, 99999999999999999999",
    "epoch s, 1.",
  })
  void whatCountsNothingWholeIsABadRecord(String unit, String value) {
    Map<String, String> options = Map.of("columns", "t:timestamptz(" + unit + ")");
    assertThatThrownBy(() -> typed("t,n\n" + value + ",1\n", options).read())
        .isInstanceOf(Fault.Data.class);
  }

  @ParameterizedTest
  @CsvSource({
    "columns, t:date(epoch s)",
    "columns, t:text(percent)",
    "columns, t:decimal(5)(parsecs)",
    "decimal-separator, x",
    "thousands, 5",
    "thousands, .",
    "zero-dates, yes",
  })
  void whatMakesNoSenseIsRefused(String option, String value) {
    assertThatThrownBy(() -> typed("t,n\n1,1\n", Map.of(option, value)).schema())
        .isInstanceOf(Fault.User.class);
  }

  @Test
  void rawRecordsDoNotCrossIfTheyAreSpelledForOneReader() {
    Path file = Trial.file(folder, "n.csv", "a;b\n1,5;2\n");
    Trial trial = Trial.of(file, Map.of("decimal-separator", ",", "header", "true"));
    assertThatThrownBy(trial::frames).isInstanceOf(java.util.NoSuchElementException.class);
  }
}
