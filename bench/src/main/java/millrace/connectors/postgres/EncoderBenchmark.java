package millrace.connectors.postgres;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.Location;
import millrace.data.LongVector;
import millrace.data.Schema;
import millrace.data.Type;
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
    List<Type> types = types();
    batch =
        Columns.standalone(
            Schema.of(
                IntStream.range(0, types.size())
                    .mapToObj(i -> new Column("c" + i, types.get(i), true, null))
                    .toList()),
            ROWS);
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    for (int column = 0; column < types.size(); column++) {
      fill(types.get(column), column, random);
    }
    batch.filled(ROWS, 0, new Location("", 0, 0, 0, -1), null);
    encoder =
        new BinaryEncoder(
            batch.schema().columns().stream()
                .map(c -> new Slot(c.name(), PostgresTypes.made(c.type()), true, true))
                .toList());
    plain = new PlainEncoder(types);
    buffer = new byte[ROWS * 512];
    int used = millrace();
    ByteArrayOutputStream theirs = plain();
    if (!Arrays.equals(Arrays.copyOf(encoder.bytes, used), theirs.toByteArray())) {
      throw new IllegalStateException("not the same bytes");
    }
  }

  private List<Type> types() {
    Type text = Type.Text.UNLIMITED;
    Type moment = new Type.Timestamp(false);
    Type number = new Type.Int(64);
    Type amount = new Type.Decimal(9, 2);
    return switch (shape) {
      case "int8" -> List.of(number);
      case "numeric" -> List.of(amount);
      case "timestamp" -> List.of(moment);
      case "text" -> List.of(text);
      case "row" -> List.of(text, moment, number, text, amount, moment, text, text, number, text);
      default -> throw new IllegalStateException("no such shape: " + shape);
    };
  }

  private void fill(Type type, int column, RandomGenerator random) {
    for (int row = 0; row < ROWS; row++) {
      switch (batch.vector(column)) {
        case LongVector longs ->
            longs.values[row] =
                type instanceof Type.Decimal
                    ? random.nextLong(Decimals.powerOfTen(9))
                    : random.nextLong(1_000_000_000_000_000_000L);
        case DoubleVector doubles -> doubles.values[row] = random.nextDouble();
        case BytesVector text -> {
          byte[] value = "abcdefghijklmnopqrstuvwxyz".getBytes(StandardCharsets.US_ASCII);
          text.append(row, value, 0, 4 + random.nextInt(13));
        }
      }
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
