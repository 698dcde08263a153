package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.read.ColumnRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Dates and times that are spelled otherwise than by ISO 8601.
class TimesTest {

  @TempDir private Path folder = Path.of("");

  private Trial typed(String text, Map<String, String> options) {
    return Trial.of(Trial.file(folder, "t.csv", text), options).wanted(new ColumnRequest.Typed());
  }

  @Test
  void halvesOfTheDayAreReadByFormat() {
    String text = "id,at\n1,3/9/2025 4:05:06 PM\n2,12/31/2025 12:00:00 am\n";
    assertThat(typed(text, Map.of("timestamp-format", "M/d/yyyy h:mm:ss a")).rows())
        .containsExactly(List.of("1", "2025-03-09 16:05:06"), List.of("2", "2025-12-31 00:00:00"));
  }

  @Test
  void namedMonthsAreReadByFormat() {
    String text = "id,d\n1,9-MAR-25\n2,10-apr-2025\n";
    assertThat(typed(text, Map.of("date-format", "d-MMM-yy")).rows())
        .containsExactly(List.of("1", "2025-03-09"), List.of("2", "2025-04-10"));
  }

  @Test
  void theInstantsOfNamedZonesAreKnown() {
    String text =
        """
        id,t
        1,2025-01-02 03:04:05.5 UTC
        2,2025-01-02 03:04:05 Asia/Tokyo
        3,2025-01-02T03:04:05+02
        4,2025-01-02T03:04:05Z
        5,2025-01-02 03:04:05 CET
        """;
    assertThat(typed(text, Map.of()).rows())
        .extracting(row -> row.get(1))
        .containsExactly(
            "2025-01-02 03:04:05.5+00",
            "2025-01-01 18:04:05+00",
            "2025-01-02 01:04:05+00",
            "2025-01-02 03:04:05+00",
            "2025-01-02 02:04:05+00");
    Map<String, String> options = Map.of("columns", "t:timestamptz");
    assertThatThrownBy(() -> typed("id,t\n1,2025-10-26 02:30:00 Europe/Paris\n", options).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("the clocks of Europe/Paris showed it twice, or never");
    assertThatThrownBy(() -> typed("id,t\n1,2025-10-26 02:30:00 CST\n", options).read())
        .hasMessageContaining("'CST' is no time zone that means one offset from UTC");
    assertThatThrownBy(() -> typed("id,t\n1,1500953104\n", options).read())
        .hasMessageContaining("if it counts from 1970, say timestamptz(epoch s)");
    Map<String, String> counts = Map.of("columns", "t:timestamptz(epoch ns)");
    for (String value : List.of("1700000000123456789", "2025-10-26 02:30:00", "+17", "x")) {
      assertThatThrownBy(() -> typed("id,t\n1," + value + "\n", counts).read())
          .hasMessageContaining("it should count in ns from 1970, exact to the microsecond");
    }
  }
}
