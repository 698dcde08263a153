package millrace.connectors.generate;

import java.time.LocalDate;
import java.util.List;
import millrace.data.Temporals;
import millrace.data.Type;

/// `unload`: the ten columns of field report B, whose record (enclosures, length prefix and line
/// end included) has a mean of 165 bytes.
final class UnloadShape {

  /// Dates reach to 3844, beyond what 64 bits of nanoseconds hold, as in the report.
  private static final long FIRST_SECOND = secondOf(LocalDate.of(1900, 1, 1));

  private static final long SECONDS = secondOf(LocalDate.of(3845, 1, 1)) - FIRST_SECOND;

  private UnloadShape() {}

  static Shape of(ShapeParameters shapeParameters) {
    return new RowShape(
        COLUMNS, List.of(), Shapes.rows(shapeParameters), Shapes.seed(shapeParameters));
  }

  private static final List<MadeColumn> COLUMNS =
      List.of(
          text("name", 4, 12),
          moment("opened_at"),
          number("account", 1_000_000_000_000L, 11.9),
          text("code", 4, 12),
          MadeColumn.random(
              "amount",
              new Type.Decimal(9, 2),
              9.9,
              random -> Counter.below(random, 1_000_000_000)),
          moment("closed_at"),
          MadeColumn.of("branch", new Type.Text(8), 8, new Alphanumeric(1, 8, 8)),
          text("place", 4, 14),
          number("reference", 10_000_000_000_000_000L, 15.9),
          text("remark", 8, 25));

  private static MadeColumn text(String name, int shortest, int longest) {
    return MadeColumn.of(
        name,
        new Type.Text(longest),
        (shortest + longest) / 2.0,
        new Alphanumeric(shortest, longest, 0));
  }

  private static MadeColumn number(String name, long bound, double bytesMean) {
    return MadeColumn.random(
        name, new Type.Int(64), bytesMean, random -> Counter.below(random, bound));
  }

  private static MadeColumn moment(String name) {
    return MadeColumn.random(
        name,
        new Type.Timestamp(false),
        19,
        random -> (FIRST_SECOND + Counter.below(random, SECONDS)) * 1_000_000);
  }

  private static long secondOf(LocalDate date) {
    return (date.toEpochDay() - Temporals.EPOCH_DAYS) * 86_400;
  }
}
