package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.online.Jobs;
import millrace.online.MemoryStore;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.search.SearchConfig;
import millrace.online.search.SearchResult;
import millrace.online.search.Trial.Kind;
import millrace.online.search.Verdict;
import millrace.spi.HostLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Searches against tables in memory.
@Timeout(120)
final class FindMaxTest {

  private static final int MOST_ROWS_PER_WRITE = 25;

  /// Refuses what is above 100 rows/s by 4 clients.
  private static OnlineStores open(OnlineJob job) {
    MemoryStore store = new MemoryStore();
    store.beforeWrite =
        _ -> {
          if (job.load().rows() / job.load().clients() > MOST_ROWS_PER_WRITE) {
            throw new Fault.Transient("the disk is full.", "", 0, null);
          }
        };
    return new OnlineStores(store, store::aggregate, HostLocation.NOWHERE);
  }

  @Test
  void bothBoundsAreFoundAndATrialThatFailsSaysByWhat() {
    OnlineJob job = Jobs.of("rows: 40\nclients: 4\nduration: 2s\nprefill: no", "share: 0 %");
    List<FindMax.Progress> told = new ArrayList<>();
    FindMax search =
        new FindMax(
            job, FindMaxTest::open, new OnlineRun.Listener(null, _ -> {}, _ -> {}), told::add);
    SearchResult result =
        search.search(
            new SearchConfig(
                new SearchConfig.Rates(80, 80, 160),
                1,
                // In less a run does not show whether its backlog grows.
                Duration.ofSeconds(30),
                Duration.ofSeconds(31),
                1,
                2,
                20,
                false));
    assertThat(result.finding()).as("%s", told).isEqualTo(SearchResult.Finding.FOUND);
    assertThat(result.lower()).hasValue(80);
    assertThat(result.upper()).hasValue(160);
    assertThat(told.getLast().measured().trial().kind()).isEqualTo(Kind.CONFIRM);
    for (FindMax.Progress each : told) {
      Verdict verdict = each.measured().verdict();
      boolean tooMuch = each.measured().trial().rate() > 100;
      assertThat(verdict.outcome())
          .isEqualTo(tooMuch ? Verdict.Outcome.FAILED : Verdict.Outcome.PASSED);
      assertThat(verdict.criteria())
          .filteredOn(criterion -> criterion.isBroken())
          .extracting(Criterion::name)
          .containsAll(tooMuch ? List.of("no write error") : List.of());
    }
  }

  private static final OnlineRun.Listener SILENT = new OnlineRun.Listener(null, _ -> {}, _ -> {});

  /// Rows that are made for a target take longer than those that are thrown away.
  @Test
  void whatClientsOfferIsMeasuredWithRowsThatAreMadeForTheTarget() {
    OnlineJob job = Jobs.of("rows: 40\nclients: 4\nduration: 2s\nprefill: no", "share: 0 %");
    FindMax search =
        new FindMax(
            job,
            each -> {
              MemoryStore store = new MemoryStore();
              store.encode =
                  rows -> {
                    if (rows.rows() > MOST_ROWS_PER_WRITE) {
                      store.pause(1_500);
                    }
                  };
              store.beforeWrite =
                  _ -> {
                    throw new AssertionError("nothing is written");
                  };
              return new OnlineStores(store, store::aggregate, HostLocation.NOWHERE);
            },
            SILENT,
            _ -> {});
    // Less on a machine that others keep busy; a thousand times as many are thrown away.
    assertThat(search.offered()).isBetween(1L, 80L);
  }

  /// To fill the past in takes longer than a trial.
  @Test
  void onlyTheRunThatConfirmsHasTheRowsOfThePast() {
    OnlineJob job = Jobs.of("rows: 40\nclients: 4\nduration: 2s", "share: 0 %");
    assertThat(job.load().prefill()).isTrue();
    List<Boolean> filled = new ArrayList<>();
    List<FindMax.Progress> told = new ArrayList<>();
    new FindMax(
            job,
            each -> {
              filled.add(each.load().prefill());
              return open(each);
            },
            SILENT,
            told::add)
        .search(
            new SearchConfig(
                new SearchConfig.Rates(80, 80, 80),
                1,
                Duration.ofSeconds(30),
                Duration.ofSeconds(31),
                1,
                2,
                20,
                false));
    assertThat(told)
        .extracting(each -> each.measured().trial().kind())
        .containsExactly(Kind.SEARCH, Kind.CONFIRM);
    assertThat(filled).containsExactly(false, true);
  }
}
