package millrace.online.sweep;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.OptionalDouble;
import millrace.online.run.Probes;
import org.jspecify.annotations.Nullable;

/// A sweep as JSON, for programs. Names end in their units. What was not measured is null.
public final class OnlineSweepJson {

  private OnlineSweepJson() {}

  /// All of a sweep.
  public static ObjectNode of(SweepResult result) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ObjectNode sweep = json.putObject("sweep");
    result.names().forEach(sweep.putArray("varied")::add);
    sweep.put("aggregate", result.level());
    sweep.put("planned", result.planned());
    sweep.put("stopped", result.stopped());
    ArrayNode points = sweep.putArray("points");
    result.points().forEach(point -> points.add(of(point)));
    return json;
  }

  /// One combination.
  public static ObjectNode of(SweepPoint point) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    point.settings().forEach(json.putObject("settings")::put);
    json.put("result", point.result().name().toLowerCase(Locale.ROOT));
    point.failedBy().forEach(json.putArray("failed_by")::add);
    figures(json, point.figures());
    probes(json, point.probes());
    point.notes().forEach(json.putArray("notes")::add);
    return json;
  }

  private static void figures(ObjectNode json, @Nullable SweepFigures figures) {
    number(json, "write_p50_ms", figures == null ? Double.NaN : figures.writeP50());
    number(json, "write_p99_ms", figures == null ? Double.NaN : figures.writeP99());
    number(json, "start_delay_max_ms", figures == null ? Double.NaN : figures.startDelayMax());
    OptionalDouble none = OptionalDouble.empty();
    OptionalDouble mean = figures == null ? none : figures.aggregateMean();
    OptionalDouble max = figures == null ? none : figures.aggregateMax();
    number(json, "aggregate_mean_s", mean.orElse(Double.NaN));
    number(json, "aggregate_max_s", max.orElse(Double.NaN));
    count(json, "rows", figures == null ? null : figures.rows());
    count(json, "late_rows", figures == null ? null : figures.lateRows());
  }

  private static void probes(ObjectNode json, @Nullable Probes probes) {
    read(json, "device_day", probes == null ? null : probes.deviceDay());
    read(json, "instant", probes == null ? null : probes.instant());
  }

  private static void read(ObjectNode json, String name, Probes.@Nullable Read read) {
    number(json, name + "_ms", read == null ? Double.NaN : read.millis());
    count(json, name + "_rows", read == null ? null : read.rows());
  }

  private static void count(ObjectNode json, String name, @Nullable Long value) {
    json.put(name, value);
  }

  /// JSON has no NaN and no infinity.
  private static void number(ObjectNode json, String name, double value) {
    if (Double.isFinite(value)) {
      json.put(name, Math.round(value * 1e6) / 1e6);
    } else {
      json.putNull(name);
    }
  }
}
