package millrace.report.sweep;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// What a sweep found, for programs and for its page: the medians, not each copy's report.
public final class SweepJson {

  private static final double MB = 1024 * 1024;

  private SweepJson() {}

  /// The sweep; names end in their units.
  public static ObjectNode of(Sweep sweep) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", sweep.id());
    json.put("started_at", sweep.startedAt().toString());
    json.put("from", sweep.from());
    json.put("to", sweep.to());
    for (Axis axis : sweep.axes()) {
      ObjectNode node = json.withArrayProperty("axes").addObject();
      node.put("name", axis.name());
      node.put("numeric", axis.isNumeric());
      ArrayNode numbers = node.putArray("numbers");
      ArrayNode values = node.putArray("values");
      axis.values().forEach(values::add);
      if (axis.isNumeric()) {
        axis.values().forEach(value -> numbers.add(axis.number(value)));
      }
    }
    json.putArray("points");
    sweep.points().forEach(point -> json.withArrayProperty("points").add(point(sweep, point)));
    if (!sweep.measured().isEmpty()) {
      found(json, sweep);
    }
    texts(json.putArray("notes"), sweep.notes());
    return json;
  }

  private static ObjectNode point(Sweep sweep, Sweep.Point point) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    texts(node.putArray("values"), point.values());
    node.put("copies", point.copies().size());
    node.put("failure", point.failure());
    node.put("shortfall", sweep.shortfall(point));
    if (point.isMeasured()) {
      node.put("median_s", point.medianNanos() / 1e9);
      node.put("least_s", point.leastNanos() / 1e9);
      node.put("most_s", point.mostNanos() / 1e9);
      node.put("rows", point.copies().getFirst().totals().rows());
      node.put("rows_per_s", point.rowsPerS());
      node.put("mb_per_s", point.bytesPerS() / MB);
    }
    return node;
  }

  private static void found(ObjectNode json, Sweep sweep) {
    texts(json.putArray("findings"), SweepText.findings(sweep));
    if (sweep.candidates().isEmpty()) {
      return;
    }
    Noise noise = Noise.of(sweep.candidates());
    Knee knee = SweepText.knee(sweep);
    if (sweep.hasWinner()) {
      texts(json.putArray("best"), knee.best().values());
      texts(json.putArray("knee"), knee.knee().values());
      json.put("knee_behind_percent", knee.after() * 100);
    }
    json.put("as_good_within_percent", knee.within() * 100);
    json.put("noise_percent", noise.isKnown() ? noise.difference() * 100 : null);
    json.put("only_noise", noise.isKnown() ? knee.onlyNoise() : null);
    ArrayNode costs = json.putArray("costs");
    for (UnitCost cost : UnitCost.of(sweep)) {
      ObjectNode node = costs.addObject();
      node.put("axis", cost.axis().name());
      node.put("with", cost.with());
      node.put("figure", cost.name());
      node.put("tells", cost.isSignificant());
      number(node, "per_call", cost.scaled(cost.line().slope()));
      number(node, "per_call_error", cost.scaled(cost.line().slopeError()));
      number(node, "per_row", cost.scaled(cost.line().intercept()));
      number(node, "per_row_error", cost.scaled(cost.line().interceptError()));
    }
  }

  /// JSON has no NaN.
  private static void number(ObjectNode node, String name, double value) {
    node.put(name, Double.isNaN(value) ? null : value);
  }

  private static void texts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }
}
