package millrace.report.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AxisTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "read-unit=50..3000    | 50 110 260 580 1300 3000",
        "--read-unit=50..3000  | 50 110 260 580 1300 3000",
        "lanes=1..4            | 1 2 3 4",
        "lanes=1..2            | 1 2",
        "write-unit=64kB..4MB  | 64kB 150kB 340kB 780kB 1800kB 4096kB",
        "write-unit=2000,25,50 | 25 50 2000",
        "write-unit=1MB,64kB   | 64kB 1MB",
        "unit=1MB,1024kB,64kB  | 64kB 1MB",
        "lanes=2,1,01          | 1 2",
        "unit=1..100,7         | 1 3 6 7 16 40 100",
        "method=normal,native  | normal native",
        "atomic=true,false     | true false",
        "x=5                   | 5",
      })
  void aRangeBecomesStepsOfOneRatioAndNumbersAscend(String text, String values) {
    assertThat(Axis.parse(text).values()).isEqualTo(List.of(values.split(" ", -1)));
  }

  @Test
  void quotesStandAroundAValueThatHoldsAComma() {
    assertThat(Axis.parse("delimiter=\",\",;").values()).containsExactly(",", ";");
    assertThat(Axis.parse("quote=\"\"\"\", ~~").values()).containsExactly("\"", "~~");
    assertThat(Axis.parse("null-string=\"\",\"1..5\"").values()).containsExactly("", "1..5");
    assertThat(Axis.parse("columns=\"a:int64,b\",a:decimal(12,2)").values())
        .containsExactly("a:int64,b", "a:decimal(12,2)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lanes",
        "lanes=",
        "=1",
        "lanes=1,,2",
        "lanes=4..1",
        "lanes=2..2",
        "hash-buckets=0..16",
        "u=1..4MB",
        "x=\"a\"b",
        "x=\"a"
      })
  void whatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> Axis.parse(text))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("--vary");
  }

  @Test
  void onlyNumbersOfOneKindHaveAnOrder() {
    assertThat(Axis.parse("a=1,2").isNumeric()).isTrue();
    assertThat(Axis.parse("a=1MB,64kB").isNumeric()).isTrue();
    assertThat(Axis.parse("a=1,64kB").isNumeric()).isFalse();
    assertThat(Axis.parse("a=1,all").isNumeric()).isFalse();
  }
}
