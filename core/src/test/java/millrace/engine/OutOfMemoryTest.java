package millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import millrace.fault.Fault;
import org.junit.jupiter.api.Test;

/// What a user is told whose rows need more memory than there is.
class OutOfMemoryTest {

  private static Fault.External fault(int lanes) {
    OutOfMemoryError error = new OutOfMemoryError("Java heap space");
    return catchThrowableOfType(Fault.External.class, () -> RunFailure.throwFirst(error, lanes));
  }

  @Test
  void fewerLanesAreAdvisedOnlyWhereThereAreSeveral() {
    assertThat(fault(1)).hasMessageEndingWith("on one lane.");
    assertThat(fault(1).advice()).contains("--read-unit").doesNotContain("--lanes");
    assertThat(fault(3)).hasMessageEndingWith("on 3 lanes.");
    assertThat(fault(3).advice()).contains("--read-unit", "--lanes");
  }

  @Test
  void moreMemoryIsAdvisedThanThereIs() {
    long megabytes = Runtime.getRuntime().maxMemory() >> 20;
    assertThat(fault(1)).hasMessageContaining("heap of " + megabytes + " MB");
    String given = fault(1).advice().replaceFirst(".*MILLRACE_HEAP=(\\d+)m\\.", "$1");
    assertThat(Long.parseLong(given)).isGreaterThan(megabytes);
  }
}
