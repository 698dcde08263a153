package millrace.connectors.postgres;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import millrace.bench.SampleRows;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.codec.BinaryEncoder;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What a row costs to encode for a binary COPY, checks of the values included: ours, and beside it
/// a {@link java.io.DataOutputStream} that is told one field after the other and checks nothing.
///
/// In the encoder's package, because nobody else should see it.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncoderBenchmark {

  private static final int ROWS = 1024;

  /// What a row is: one column, or `row` for the ten of about the generated shape `unload`.
  @Param({"int8", "numeric", "timestamp", "text", "row"})
  private String shape = "row";

  private Columns batch = Columns.standalone(Schema.of(List.of()), 0);
  private BinaryEncoder encoder = new BinaryEncoder(List.of());
  private byte[] buffer = new byte[0];
  private PlainEncoder plain = new PlainEncoder(List.of());

  /// Makes the rows, and sees to it that both sides make the same bytes of them.
  @Setup
  public void fill() throws IOException {
    batch = SampleRows.of(shape, ROWS);
    encoder =
        new BinaryEncoder(
            batch.schema().columns().stream()
                .map(c -> new LoadColumn(c.name(), PostgresTypes.made(c.type()), true, false))
                .toList());
    plain = new PlainEncoder(batch.schema().columns().stream().map(Column::type).toList());
    buffer = new byte[ROWS * 512];
    int used = millrace();
    ByteArrayOutputStream theirs = plain();
    if (!Arrays.equals(Arrays.copyOf(encoder.bytes, used), theirs.toByteArray())) {
      throw new IllegalStateException("not the same bytes");
    }
  }

  /// Our encoder.
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int millrace() {
    encoder.begin(batch, buffer);
    for (int row = 0; row < ROWS; row++) {
      if (!encoder.row(row, null)) {
        throw new IllegalStateException(encoder.reason());
      }
    }
    return encoder.used;
  }

  /// The plain one.
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public ByteArrayOutputStream plain() {
    try {
      return plain.encode(batch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
