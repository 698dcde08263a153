package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import millrace.spi.Counters.Count;
import org.junit.jupiter.api.Test;

/// What is counted of a connection.
final class WireTest {

  private final Wire wire = new Wire();

  private Map<String, Long> counts() {
    return wire.counts().stream().collect(Collectors.toMap(Count::name, Count::value));
  }

  @Test
  void theTimeUntilAnswersBeginIsAddedUp() throws IOException, InterruptedException {
    Wire.Line line = wire.new Line();
    OutputStream out = line.counted(new ByteArrayOutputStream());
    InputStream in = line.counted(new ByteArrayInputStream(new byte[20]));
    for (int i = 0; i < 2; i++) {
      out.write(new byte[4], 0, 4);
      TimeUnit.MILLISECONDS.sleep(20);
      // The rest of an answer is not waited for once more.
      assertThat(in.read(new byte[5], 0, 5) + in.read(new byte[5], 0, 5)).isEqualTo(10);
    }
    assertThat(counts())
        .containsEntry("round_trips", 2L)
        .containsEntry("bytes_sent", 8L)
        .containsEntry("bytes_received", 20L);
    assertThat(counts().get("answer_us")).isGreaterThanOrEqualTo(40_000);
  }
}
