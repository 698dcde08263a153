package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads of this process that wait for a processor.
@Timeout(60)
final class ProcessorWaitsTest {

  /// More threads than processors: some of them wait at any moment.
  @Test
  void threadsThatWaitForAProcessorAreSeen() throws InterruptedException {
    int count = 4 * Runtime.getRuntime().availableProcessors();
    CountDownLatch waited = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    ProcessorWaits waits = new ProcessorWaits();
    waits.look();
    assertThat(waits.seconds()).isZero();
    for (int i = 0; i < count; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (waited.getCount() > 0) {
                      Thread.onSpinWait();
                    }
                  }));
    }
    while (waits.seconds() < 0.5) {
      Thread.sleep(20);
      waits.look();
    }
    waited.countDown();
    for (Thread each : threads) {
      each.join();
    }
  }
}
