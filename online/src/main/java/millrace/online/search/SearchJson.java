package millrace.online.search;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import millrace.online.report.OnlineJson;
import millrace.online.report.ProcessorUse;

/// A search that has ended, as JSON for programs. Names end in their units.
public final class SearchJson {

  private SearchJson() {}

  /// All of a search; one that had more to try was stopped. A bound that there is not is null.
  ///
  /// @param pastRowsOfDevice how many rows of the past each device had when each run began
  /// @param use who took this machine's processors in the run of the highest rate that passed
  public static ObjectNode of(
      SearchResult result, long pastRowsOfDevice, Optional<ProcessorUse> use) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ObjectNode search = json.putObject("search");
    boolean ended = result.finding() != SearchResult.Finding.SEARCHING;
    search.put("finding", name(ended ? result.finding() : SearchResult.Finding.STOPPED));
    bound(search, "passes_rows_per_s", result.lower());
    search.put("confirmed", result.isConfirmed());
    bound(search, "fails_rows_per_s", result.upper());
    search.put("past_rows_per_device", pastRowsOfDevice);
    use.ifPresentOrElse(
        each -> {
          ObjectNode node = search.putObject("processors");
          node.put("busy_percent", 100 * each.busy());
          node.put("own_percent", 100 * each.own());
          node.put("target_percent", 100 * each.target());
          node.put("others_percent", 100 * each.others());
        },
        () -> search.putNull("processors"));
    ArrayNode rates = search.putArray("rates");
    for (SearchResult.Rate rate : result.rates()) {
      ObjectNode node = rates.addObject();
      node.put("rows_per_s", rate.rate());
      node.put("bound", name(rate.bound()));
      ArrayNode trials = node.putArray("trials");
      rate.trials().forEach(trial -> trials.add(of(trial)));
    }
    return json;
  }

  /// What the clients alone offer.
  ///
  /// @param isOffered whether they started on time at that rate
  /// @param crowd others' share of the processors if that was why there is no more, from 0 to 1
  public static ObjectNode offered(long rows, boolean isOffered, Optional<Double> crowd) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("rows_per_s", rows);
    json.put("on_time", isOffered);
    crowd.ifPresentOrElse(
        share -> json.put("others_percent", 100 * share), () -> json.putNull("others_percent"));
    return json;
  }

  /// One trial.
  public static ObjectNode of(Measured measured) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", name(measured.trial().kind()));
    json.put("rows_per_s", measured.trial().rate());
    json.put("duration_s", measured.trial().duration().toSeconds());
    json.put("ran_s", measured.verdict().ran().toSeconds());
    json.put("result", name(measured.verdict().outcome()));
    json.put("bad_share", measured.verdict().badShare());
    OnlineJson.criteria(json.putArray("criteria"), measured.verdict().criteria());
    return json;
  }

  private static void bound(ObjectNode json, String name, OptionalLong rate) {
    if (rate.isPresent()) {
      json.put(name, rate.getAsLong());
    } else {
      json.putNull(name);
    }
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
