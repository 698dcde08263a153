package millrace.connectors.couchdb.write;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.spi.StageClock;
import millrace.spi.write.WriteContext;
import millrace.testkit.Reading;
import millrace.tuning.BestUnit;
import org.junit.jupiter.api.Test;

/// Requests are as large as pays, and smaller for a while after a failure.
class RequestSizeTest {

  @Test
  void aFailureIsForgottenHoweverManyRequestsPassAfterIt() {
    RequestSize size =
        new RequestSize(
            new WriteContext(
                0, new StageClock(), Reading.NO_REJECTS, null, BestUnit.unknown(), null),
            new RequestSize.Ceilings());
    size.failed(1_000, 1 << 20, true);
    assertThat(size.isFull(500, 100_000)).isTrue();
    for (int i = 0; i < 10_000; i++) {
      size.passed(1, 1);
      assertThat(size.isFull(499, 100_000)).as("after %d", i).isFalse();
    }
    assertThat(size.isFull(100_000, 100_000)).isFalse();
    assertThat(size.isFull(1, 8 << 20)).isTrue();
  }
}
