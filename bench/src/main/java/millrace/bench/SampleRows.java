package millrace.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Location;

/// Rows that an encoder is measured with: always the same ones.
public final class SampleRows {

  private static final byte[] TEXT =
      "abcdefghijklmnopqrstuvwxyz".getBytes(StandardCharsets.US_ASCII);

  private static final long MICROS_OF_A_CENTURY = 36_524L * 86_400 * 1_000_000;

  private SampleRows() {}

  /// A batch of that many rows.
  ///
  /// @param shape `int8`, `numeric`, `timestamp` or `text` for one column of it, or `row` for the
  ///   ten of about the generated shape `unload`
  public static Columns of(String shape, int rows) {
    List<Type> types = types(shape);
    Columns batch =
        Columns.standalone(
            Schema.of(
                IntStream.range(0, types.size())
                    .mapToObj(i -> new Column("c" + i, types.get(i), true, null))
                    .toList()),
            rows);
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    for (int column = 0; column < types.size(); column++) {
      fill(batch, column, types.get(column), rows, random);
    }
    batch.filled(rows, 0, new Location("", 0, 0, 0, -1), null);
    return batch;
  }

  private static List<Type> types(String shape) {
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
      default -> throw new IllegalArgumentException("no such shape: " + shape);
    };
  }

  private static void fill(Columns batch, int column, Type type, int rows, RandomGenerator random) {
    for (int row = 0; row < rows; row++) {
      switch (batch.vector(column)) {
        case LongVector longs -> longs.values[row] = number(type, random);
        case DoubleVector doubles -> doubles.values[row] = random.nextDouble();
        case BytesVector text -> text.append(row, TEXT, 0, 4 + random.nextInt(13));
      }
    }
  }

  /// Moments are whole seconds, as they mostly are.
  private static long number(Type type, RandomGenerator random) {
    return switch (type) {
      case Type.Decimal _ -> random.nextLong(Decimals.powerOfTen(9));
      case Type.Timestamp _ -> random.nextLong(MICROS_OF_A_CENTURY) / 1_000_000 * 1_000_000;
      default -> random.nextLong(1_000_000_000_000_000_000L);
    };
  }
}
