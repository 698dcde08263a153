package millrace.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parameters of an endpoint are what they say, or are refused by their names.
class EndpointTest {

  private static Endpoint with(String value) {
    return new Endpoint("test", "place", Map.of("patience", value), Secret.NONE);
  }

  @ParameterizedTest
  @CsvSource({"20, 20", "20s, 20", "2m, 120", "1h30m, 5400"})
  void aTimeIsSecondsUnlessItSaysAnother(String value, long seconds) {
    assertThat(with(value).time("patience", Duration.ZERO)).hasSeconds(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0s", "1MB", "-1", "", "soon", "9999999"})
  void whatIsNoTimeIsRefused(String value) {
    assertThatThrownBy(() -> with(value).time("patience", Duration.ZERO))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("patience")
        .hasMessageContaining("is not a duration");
  }

  @ParameterizedTest
  @CsvSource({"1000B, 1000", "64kB, 65536", "16MB, 16777216", "2 GiB, 2147483648", "1m, 1048576"})
  void aSizeIsBytes(String value, long bytes) {
    assertThat(with(value).size("patience", 0)).isEqualTo(bytes);
    assertThat(with(value).size("other", 7)).isEqualTo(7);
  }

  @Test
  void aSizeWithoutAUnitIsRefused() {
    assertThatThrownBy(() -> with("8").size("patience", 0))
        .isInstanceOf(Fault.User.class)
        .hasMessage("patience=8 has no unit (test:place).");
  }

  @Test
  void aTimeThatIsNotGivenIsAnother() {
    assertThat(with("20").time("other", Duration.ofSeconds(60))).hasSeconds(60);
  }
}
