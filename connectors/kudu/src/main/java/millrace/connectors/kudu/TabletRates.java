package millrace.connectors.kudu;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// How the rows of a run are spread over the tablets of a table, by what the servers count. Nobody
/// waits for it: it is asked aside while the run begins.
public final class TabletRates {

  /// A tablet with more than this part of all rows is hot, if there are others.
  private static final double HOT = 0.6;

  private static final long ROWS_MIN = 10_000;

  private final WebServers web;
  private final String table;
  private final List<String> names;
  private final long startedNanos = System.nanoTime();
  private final CompletableFuture<Map<String, Long>> before;

  /// A tablet and how many rows it took or gave.
  private record Share(String tablet, long rows) {}

  /// Begins to watch.
  ///
  /// @param table its name now
  /// @param names of the counters that tell rows
  public TabletRates(WebServers web, String table, List<String> names) {
    this.web = web;
    this.table = table;
    this.names = List.copyOf(names);
    before = CompletableFuture.supplyAsync(this::read);
  }

  private Map<String, Long> read() {
    Map<String, Long> rows = new TreeMap<>();
    for (JsonNode entity : web.metrics(String.join(",", names))) {
      JsonNode attributes = entity.path("attributes");
      if (entity.path("type").asText().equals("tablet")
          && attributes.path("table_name").asText().equals(table)) {
        String tablet =
            attributes.path("partition").asText() + " (" + entity.path("id").asText() + ")";
        for (JsonNode metric : entity.path("metrics")) {
          rows.merge(tablet, metric.path("value").asLong(), Long::sum);
        }
      }
    }
    return rows;
  }

  /// What to tell the user, in one sentence; null if nothing is known, or there were few rows.
  public @Nullable String note(String what) {
    List<Share> shares = new ArrayList<>();
    try {
      Map<String, Long> then = before.join();
      read()
          .forEach((tablet, rows) ->
              shares.add(new Share(tablet, rows - then.getOrDefault(tablet, 0L))));
    } catch (Fault | CompletionException _) {
      // The counters of the report say why the servers can't be asked.
      return null;
    }
    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    long all = shares.stream().mapToLong(Share::rows).sum();
    if (all < ROWS_MIN) {
      return null;
    }
    Share hottest = shares.stream().max(Comparator.comparingLong(Share::rows)).orElseThrow();
    Share coldest = shares.stream().min(Comparator.comparingLong(Share::rows)).orElseThrow();
    String rates =
        String.format(
            Locale.ROOT,
            "%d tablets %s between %,.0f and %,.0f rows/s.",
            shares.size(),
            what,
            coldest.rows / seconds,
            hottest.rows / seconds);
    boolean isHot = shares.size() > 1 && hottest.rows > HOT * all;
    return isHot
        ? rates
            + String.format(
                Locale.ROOT,
                " One is hot, with %.0f %% of all rows: %s.",
                100.0 * hottest.rows / all,
                hottest.tablet.strip())
        : rates;
  }
}
