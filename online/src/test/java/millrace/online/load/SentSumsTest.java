package millrace.online.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import millrace.online.Jobs;
import millrace.online.MemoryStore;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What was sent is held against what arrived as finely as memory allows.
final class SentSumsTest {

  private static final String RAW = "load_per_sec";
  private static final Level ARRIVED = new Level("raw", RAW, Duration.ofSeconds(1));
  private static final long SECOND = 1_000_000;
  private static final int DEVICES = 10;

  private final MemoryStore store = new MemoryStore();
  private final OnlineJob job = Jobs.of("rows: 10\nclients: 1\nduration: 7s", "");
  private final Window span = new Window(Jobs.START, Jobs.START + 7 * SECOND);

  private Readings rows() {
    Readings rows = new Readings(DEVICES * 7);
    for (int second = 0; second < 7; second++) {
      for (int device = 0; device < DEVICES; device++) {
        rows.add(device, Jobs.START + second * SECOND, 100 + device);
      }
    }
    return rows;
  }

  /// Windows of 2, 4 and 8 s, which are four, two and one; or the whole run.
  @ParameterizedTest
  @CsvSource({"1000000, 4", "319, 2", "159, 1", "79, 1", "0, 1"})
  void windowsAreAsSmallAsMemoryAllows(long bytesMax, int windows) {
    store.create();
    SentSums sent = SentSums.of(job, span, bytesMax);
    sent.add(rows());
    try (RowWriter writer = store.writer()) {
      writer.write(RAW, rows(), List.of());
    }
    assertThat(sent.differing(store, ARRIVED, RAW + "_sent", () -> false)).isZero();
    assertThat(store.rows(RAW + "_sent")).hasSize(windows * DEVICES);
    // Between two seconds of one device that lie in other windows of 2 s and 4 s.
    store.move(RAW, Jobs.START, 2, 3, 5);
    store.move(RAW, Jobs.START + 6 * SECOND, 3, 2, 5);
    assertThat(sent.differing(store, ARRIVED, RAW + "_sent", () -> false))
        .isEqualTo(windows == 1 ? 0 : 4);
  }

  @Test
  void devicesThatSentNothingHaveNoRow() {
    store.create();
    SentSums sent = SentSums.of(job, span, 1_000_000);
    Readings one = new Readings(1);
    one.add(3, Jobs.START, 0);
    sent.add(one);
    assertThat(sent.differing(store, ARRIVED, RAW + "_sent", () -> false)).isEqualTo(1);
    try (RowWriter writer = store.writer()) {
      writer.write(RAW, one, List.of());
    }
    assertThat(sent.differing(store, ARRIVED, RAW + "_sent", () -> false)).isZero();
    assertThat(store.rows(RAW + "_sent")).hasSize(1);
  }
}
