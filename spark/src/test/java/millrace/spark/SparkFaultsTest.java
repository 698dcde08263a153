package millrace.spark;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.fault.Fault;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

/// What Spark says, as a fault.
final class SparkFaultsTest {

  private static SparkException told(String message) {
    return new SparkException(message, new IllegalStateException("below"));
  }

  @Test
  void aLostExecutorMayBeReplaced() {
    Fault fault = SparkFaults.of(told("Job aborted: ExecutorLostFailure\nmore"), false);
    assertThat(fault).isInstanceOf(Fault.Transient.class);
    assertThat(fault).hasMessageContaining("An executor was lost").hasMessageNotContaining("more");
  }

  @Test
  void executorsOfAnOlderJavaNeedASetting() {
    Fault fault = SparkFaults.of(told("java.lang.UnsupportedClassVersionError: millrace/…"), false);
    assertThat(fault).isInstanceOf(Fault.User.class);
    assertThat(fault).hasMessageContaining("an older Java than 25");
  }

  @Test
  void anApplicationThatWasEndedIsNotTriedAgain() {
    assertThat(SparkFaults.of(told("Job 1 cancelled because SparkContext was shut down"), false))
        .isInstanceOf(Fault.External.class);
  }

  @Test
  void whatWasStoppedFromHereIsNoFailure() {
    assertThat(SparkFaults.of(told("whatever"), true)).isInstanceOf(Fault.Cancelled.class);
  }
}
