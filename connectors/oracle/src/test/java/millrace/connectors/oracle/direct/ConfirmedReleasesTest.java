package millrace.connectors.oracle.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which servers take streams of which driver.
class ConfirmedReleasesTest {

  @ParameterizedTest
  @CsvSource({
    "2326, 2326, true",
    "2400, 2326, true",
    "2309, 2326, false",
    "1922, 2326, true",
    "1200, 2326, false",
    "1202, 2326, false",
    "2103, 2326, true",
    "2104, 2326, false"
  })
  void anOlderServerTakesStreamsOnlyIfItIsOnTheList(int server, int driver, boolean takes) {
    List<String> confirmed = List.of("19", "21.3");
    if (takes) {
      assertThatCode(() -> ConfirmedReleases.check(server, driver, confirmed))
          .doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> ConfirmedReleases.check(server, driver, confirmed))
          .isInstanceOf(Fault.User.class)
          .hasMessageContainingAll(
              "of release " + ConfirmedReleases.name(server) + ",", "the driver of 23.26.");
    }
  }

  /// Nobody has sent a report yet. A line that is none of a release would confirm nothing.
  @Test
  void theListNamesReleases() {
    assertThat(ConfirmedReleases.listed()).allMatch(line -> line.matches("\\d+(\\.\\d+)?"));
    assertThat(ConfirmedReleases.driver()).isGreaterThanOrEqualTo(2326);
  }

  /// The interface is the driver's own: another release may lack it.
  @Test
  void aDriverThatHasNoStreamsIsTold() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:driver")) {
      assertThatThrownBy(() ->
              DirectPath.stream(
                  connection,
                  _ -> {
                    throw new NoSuchMethodError("prepareDirectPath");
                  }))
          .isInstanceOfSatisfying(
              Fault.User.class,
              fault -> {
                assertThat(fault).hasMessageContainingAll("of release 23.", "prepareDirectPath");
                assertThat(fault.advice()).contains("Use --method direct");
              });
    }
  }
}
