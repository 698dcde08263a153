package millrace.connectors.generate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;

/// `wide`: a key and then columns of every neutral type in turn (but the opaque one, which only its
/// own system can make), one value in eight missing; to try tables of a thousand columns.
final class WideShape {

  private static final List<Type> TYPES =
      List.of(
          new Type.Int(64),
          new Type.Text(20),
          new Type.Bool(),
          new Type.Decimal(12, 2),
          new Type.Timestamp(false),
          new Type.Int(32),
          new Type.Float(64),
          new Type.Date(),
          Type.Text.UNLIMITED,
          new Type.Int(16),
          new Type.Uuid(),
          new Type.Time(),
          new Type.Float(32),
          new Type.Decimal(30, 10),
          new Type.Json(),
          new Type.Timestamp(true),
          new Type.Bytes(),
          Type.Decimal.UNLIMITED);

  /// From 2000-01-01 up to about 2100.
  private static final long DAYS = 36_525;

  private WideShape() {}

  static Shape of(ShapeParameters shapeParameters) {
    int columns = (int) shapeParameters.number("width", 1_000, 1, 100_000);
    List<MadeColumn> made = new ArrayList<>();
    made.add(MadeColumn.counted("id", new Type.Int(64), 7, row -> row + 1));
    for (int i = 1; i < columns; i++) {
      Type type = TYPES.get((i - 1) % TYPES.size());
      made.add(
          new MadeColumn(
              Column.of("c" + i, type),
              12,
              (into, seed, first, rows) -> fill(into, type, seed, first, rows)));
    }
    return new RowShape(
        List.copyOf(made),
        List.of("id"),
        Shapes.rows(shapeParameters),
        Shapes.seed(shapeParameters));
  }

  private static void fill(Vector into, Type type, long seed, long firstRow, int rows) {
    for (int row = 0; row < rows; row++) {
      long random = Counter.at(seed, firstRow + row);
      long value = Counter.at(random, 0);
      into.nulls[row] = (random & 7) == 0;
      if (!into.nulls[row]) {
        switch (into) {
          case LongVector longs -> longs.values[row] = number(type, value);
          case DoubleVector doubles -> doubles.values[row] = fraction(type, value);
          case BytesVector bytes -> {
            byte[] spelled = spelled(type, value);
            bytes.append(row, spelled, 0, spelled.length);
          }
        }
      }
    }
  }

  private static long number(Type type, long random) {
    return switch (type) {
      case Type.Bool _ -> random & 1;
      case Type.Int(int bits) -> random >> (64 - bits);
      case Type.Date _ -> Counter.below(random, DAYS);
      case Type.Time _ -> Counter.below(random, Temporals.DAY_MICROS);
      case Type.Timestamp _ -> Counter.below(random, DAYS * Temporals.DAY_MICROS);
      case Type.Decimal _ -> Counter.below(random, 2_000_000_000_000L) - 999_999_999_999L;
      case Type.Float _, Type.Uuid _, Type.Textual _, Type.Bytes _ ->
          throw new IllegalArgumentException(type.label());
    };
  }

  /// Quarters, so that 32 bits hold them exactly.
  private static double fraction(Type type, long random) {
    return (random >> (type.equals(new Type.Float(32)) ? 44 : 20)) / 4.0;
  }

  private static byte[] spelled(Type type, long random) {
    return switch (type) {
      case Type.Uuid _ -> eightBytesTwice(random);
      case Type.Json _ ->
          utf8("{\"n\": " + (random >>> 50) + ", \"t\": \"\u9234 \\\"" + (random & 7) + "\\\"\"}");
      case Type.Bytes _ -> eightBytesTwice(random);
      case Type.Text(int lengthMax, _) ->
          utf8(
              lengthMax == 0
                  ? "\"" + (random & 4095) + "\",\n\u6c34\u8eca "
                  : "t" + (random >>> 20));
      case Type.Decimal(int precision, int scale) ->
          utf8(
              (random >> 8)
                  + "."
                  + "1234567890".substring(0, precision == 0 ? 1 + (int) (random & 7) : scale));
      case Type.Bool _, Type.Int _, Type.Float _, Type.Temporal _, Type.Opaque _ ->
          throw new IllegalArgumentException(type.label());
    };
  }

  private static byte[] eightBytesTwice(long random) {
    return java.nio.ByteBuffer.allocate(16).putLong(random).putLong(Counter.at(random, 0)).array();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
