package millrace.bench;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What the stage meters cost a batch, beside the least that a batch of CSV can cost: a look at
/// every byte. The ratio of `meters` to `rows` is their share; a real lane does far more for a row.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MeterBenchmark {

  private static final byte[] ROW =
      "1048576,Foqvre Xyz,2015-04-24 15:30:24,280731594835,dlG9HSUf,748766.98,2024-06-07,k7037,true\n"
          .getBytes(StandardCharsets.UTF_8);

  /// Rows of a batch: of a file's shape `unload`, and of one as small as batches get.
  @Param({"10000", "64"})
  private int batchRows;

  private byte[] batch = new byte[0];
  private final StageClock reader = new StageClock();
  private final StageClock writer = new StageClock();

  @Setup
  public void fill() {
    batch = new byte[ROW.length * batchRows];
    for (int i = 0; i < batchRows; i++) {
      System.arraycopy(ROW, 0, batch, i * ROW.length, ROW.length);
    }
  }

  /// All that both halves of a lane tell their clocks for a batch.
  @Benchmark
  public long meters() {
    reader.enter(Stage.READ);
    reader.enter(Stage.PARSE);
    reader.passed(batchRows, batch.length);
    reader.enter(Stage.CONVERT);
    reader.enter(Stage.QUEUE_WAIT);
    reader.enter(Stage.READ);
    writer.enter(Stage.QUEUE_WAIT);
    writer.enter(Stage.ENCODE);
    writer.enter(Stage.SEND);
    writer.enter(Stage.SERVER_WAIT);
    writer.sent(batch.length);
    writer.passed(batchRows, 0);
    writer.enter(Stage.QUEUE_WAIT);
    return reader.rows() + writer.bytes();
  }

  /// Finding the fields of a batch, byte by byte.
  @Benchmark
  public long rows() {
    long fields = 0;
    for (byte each : batch) {
      if (each == ',' || each == '\n') {
        fields++;
      }
    }
    return fields;
  }
}
