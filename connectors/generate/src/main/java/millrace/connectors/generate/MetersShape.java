package millrace.connectors.generate;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import millrace.data.Type;

/// `meters`: field report E's smart meters. Every second has one row for each device, device by
/// device, and the clock starts shortly before midnight so that an hour and a day soon close.
final class MetersShape {

  private static final long DEVICES_PER_FLOOR = 100;
  private static final long FLOORS_PER_BUILDING = 10;
  private static final long WATTS_MAX = 6_000;
  private static final long TYPES = 4;

  private MetersShape() {}

  static Shape of(ShapeParameters shapeParameters) {
    long devices = shapeParameters.number("devices", 10_000, 1, 1_000_000_000);
    LocalDateTime start = shapeParameters.moment("start", "2019-04-01T23:55:00");
    long startMicros = micros(start);
    List<MadeColumn> columns =
        List.of(
            int32("building_id", 1, row -> row % devices / DEVICES_PER_FLOOR / FLOORS_PER_BUILDING),
            int32("floor_id", 1, row -> row % devices / DEVICES_PER_FLOOR % FLOORS_PER_BUILDING),
            int32("device_id", 2, row -> row % devices % DEVICES_PER_FLOOR),
            MadeColumn.counted(
                "time_stamp",
                new Type.Timestamp(false),
                19,
                row -> startMicros + row / devices * 1_000_000),
            MadeColumn.random(
                "device_load",
                new Type.Int(64),
                3.8,
                random -> Counter.below(random, WATTS_MAX + 1)),
            int32("device_type", 1, row -> 1 + row % devices % TYPES));
    return new RowShape(
        columns,
        List.of("building_id", "floor_id", "device_id", "time_stamp"),
        Shapes.rows(shapeParameters),
        Shapes.seed(shapeParameters));
  }

  private static MadeColumn int32(String name, double bytesMean, MadeColumn.FromRow value) {
    return MadeColumn.counted(name, new Type.Int(32), bytesMean, value);
  }

  private static long micros(LocalDateTime moment) {
    Duration since = Duration.between(LocalDate.of(2000, 1, 1).atStartOfDay(), moment);
    return since.getSeconds() * 1_000_000 + since.getNano() / 1_000;
  }
}
