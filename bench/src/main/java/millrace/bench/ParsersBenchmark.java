package millrace.bench;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What one value costs to parse, from the bytes of a field to a place in a vector: our parsers,
/// and beside them the JDK's, which need a String first.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ParsersBenchmark {

  /// Fields of one batch, so many that no branch is learned by heart.
  private static final int VALUES = 8192;

  private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);

  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter();

  /// What the fields are.
  public enum Kind {
    /// Whole numbers of 1 to 18 digits, every second one negative.
    LONG,
    /// Amounts of up to 10 digits, two of them after the point, into longs.
    DECIMAL,
    /// The same into doubles.
    AMOUNT,
    /// Numbers between 0 and 1 with all their digits, into doubles.
    DOUBLE,
    /// `2024-02-29 12:34:56`
    TIMESTAMP,
    /// `2024-02-29 12:34:56.789012`
    TIMESTAMP_MICROS
  }

  @Param private Kind kind = Kind.LONG;

  private final int[] starts = new int[VALUES];
  private final int[] ends = new int[VALUES];
  private byte[] bytes = new byte[0];
  private ValueParser parser = Spelling.parser(new Type.Int(64), SpellingStyle.ISO);
  private Vector vector = new LongVector(0);
  private final long[] longs = new long[VALUES];
  private final double[] doubles = new double[VALUES];

  /// Makes the fields, and sees to it that both sides read the same from them.
  @Setup
  public void fill() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < VALUES; i++) {
      starts[i] = fields.length();
      fields.append(spell(random));
      ends[i] = fields.length();
      fields.append(',');
    }
    bytes = fields.toString().getBytes(StandardCharsets.US_ASCII);
    parser = Spelling.parser(type(), SpellingStyle.ISO);
    vector = Vector.of(type(), VALUES);
    millrace();
    jdk();
    for (int i = 0; i < VALUES; i++) {
      boolean same =
          switch (vector) {
            case LongVector ours -> ours.values[i] == longs[i];
            case DoubleVector ours -> ours.values[i] == doubles[i];
            default -> false;
          };
      if (!same) {
        throw new IllegalStateException(text(i) + " is not read alike");
      }
    }
  }

  private Type type() {
    return switch (kind) {
      case LONG -> new Type.Int(64);
      case DECIMAL -> new Type.Decimal(12, 2);
      case AMOUNT, DOUBLE -> new Type.Float(64);
      case TIMESTAMP, TIMESTAMP_MICROS -> new Type.Timestamp(false);
    };
  }

  private String spell(RandomGenerator random) {
    return switch (kind) {
      case LONG -> Long.toString(random.nextLong() / Decimals.powerOfTen(1 + random.nextInt(18)));
      case DECIMAL, AMOUNT ->
          BigDecimal.valueOf(random.nextInt() / (1 << random.nextInt(25)), 2).toPlainString();
      case DOUBLE -> Double.toString(random.nextDouble());
      case TIMESTAMP -> FORMAT.format(EPOCH.plusSeconds(random.nextInt()));
      case TIMESTAMP_MICROS ->
          FORMAT.format(EPOCH.plus(random.nextLong() >> 12, ChronoUnit.MICROS));
    };
  }

  /// Our parsers.
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public Vector millrace() {
    for (int i = 0; i < VALUES; i++) {
      if (!parser.parse(bytes, starts[i], ends[i], vector, i)) {
        throw new IllegalStateException(text(i) + " is not read");
      }
    }
    return vector;
  }

  /// `Long.parseLong`, `BigDecimal`, `Double.parseDouble` and `LocalDateTime.parse`.
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public Object jdk() {
    return switch (kind) {
      case LONG -> {
        for (int i = 0; i < VALUES; i++) {
          longs[i] = Long.parseLong(text(i));
        }
        yield longs;
      }
      case DECIMAL -> {
        for (int i = 0; i < VALUES; i++) {
          longs[i] = new BigDecimal(text(i)).setScale(2).unscaledValue().longValueExact();
        }
        yield longs;
      }
      case AMOUNT, DOUBLE -> {
        for (int i = 0; i < VALUES; i++) {
          doubles[i] = Double.parseDouble(text(i));
        }
        yield doubles;
      }
      case TIMESTAMP, TIMESTAMP_MICROS -> {
        for (int i = 0; i < VALUES; i++) {
          longs[i] = EPOCH.until(LocalDateTime.parse(text(i), FORMAT), ChronoUnit.MICROS);
        }
        yield longs;
      }
    };
  }

  private String text(int i) {
    return new String(bytes, starts[i], ends[i] - starts[i], StandardCharsets.ISO_8859_1);
  }
}
