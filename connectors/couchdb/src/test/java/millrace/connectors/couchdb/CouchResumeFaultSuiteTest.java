package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import millrace.engine.retry.RetryPolicy;
import millrace.spi.write.Mode;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeFaultSuite;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies that meet faults and go on, in a stand-in for CouchDB.
class CouchResumeFaultSuiteTest extends CouchResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {

  /// More than a lane tries.
  private static final int LOST_TO_GIVE_UP = 6;

  /// So often that the lane that writes it gives up, and goes on behind the receipt before.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void documentsAreThereOnceIfTheAnswersToAReceiptAreLost(int before) {
    write(schema(), rows(0, 10), table("told"));
    try (FaultyProxy proxy = proxy()) {
      ResumableCopy copy =
          copy(rows(1_000, ROWS), through(proxy, table("told")), Mode.APPEND)
              .patience(RetryPolicy.of(Duration.ofMinutes(1), Duration.ZERO));
      byte[] receipt = "\"id\":\"_local/".getBytes(StandardCharsets.US_ASCII);
      proxy.loseAnswers(receipt, before, LOST_TO_GIVE_UP);
      assertThat(copy.run().meter().rows()).isEqualTo(ROWS);
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertHolds(both(rows(0, 10), rows(1_000, ROWS)), "told", copy);
    }
  }
}
