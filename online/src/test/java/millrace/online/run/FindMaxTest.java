package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.fault.Fault;
import millrace.online.Jobs;
import millrace.online.MemoryStore;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.OnlineReport.Sum;
import millrace.online.search.SearchConfig;
import millrace.online.search.SearchResult;
import millrace.online.search.Trial.Kind;
import millrace.online.search.Verdict;
import millrace.spi.HostLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Searches against tables in memory. All of them do little but wait.
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class FindMaxTest {

  private static final int MOST_ROWS_PER_WRITE = 25;

  /// The tables of all runs of a search.
  private final MemoryStore tables = new MemoryStore();

  /// How many rows of the past each run has found in its tables, by its rows a second.
  private final List<String> found = new ArrayList<>();

  /// Refuses what is above 100 rows/s by 4 clients.
  private OnlineStores open(OnlineJob job) {
    AtomicBoolean hasBegun = new AtomicBoolean();
    tables.beforeWrite =
        table -> {
          if (!table.equals("load_per_sec")) {
            return;
          }
          if (hasBegun.compareAndSet(false, true)) {
            int past =
                tables.rows("load_per_sec_small").size()
                    + tables.rows("load_per_sec_middle").size();
            found.add(job.load().rows() + " rows/s: " + past);
          }
          if (job.load().rows() / job.load().clients() > MOST_ROWS_PER_WRITE) {
            throw new Fault.Transient("the disk is full.", "", 0, null);
          }
        };
    MemoryStore store = tables.reopened();
    return new OnlineStores(store, store::aggregate, HostLocation.NOWHERE);
  }

  /// A job whose clock starts a second before the end of the largest window: each device has a row
  /// of the past in both levels below it.
  private static OnlineJob withPast(OnlineJob job) {
    OnlineJob.Load load = job.load();
    return job.with(
        new OnlineJob.Load(
            load.rows(),
            load.clients(),
            load.duration(),
            LocalDateTime.parse("1969-12-31T23:59:59"),
            true,
            load.sorted(),
            load.rowsFrom()));
  }

  @Test
  void bothBoundsAreFoundAndATrialThatFailsSaysByWhat() {
    OnlineJob job = withPast(Jobs.of("rows: 40\nclients: 4\nduration: 2s", "share: 0 %"));
    List<FindMax.Progress> told = new ArrayList<>();
    List<String> said = new ArrayList<>();
    FindMax search =
        new FindMax(job, this::open, new OnlineRun.Listener(null, said::add, _ -> {}), told::add);
    assertThat(search.pastRowsOfDevice()).isEqualTo(2);
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
    // Short runs and the long one: each with the past of its own devices, which was filled in once.
    assertThat(found).containsExactly("80 rows/s: 160", "160 rows/s: 320", "80 rows/s: 160");
    assertThat(said)
        .filteredOn(each -> each.contains("past") || each.contains("Filling"))
        .containsExactly(
            "Filling the windows that are open at the start ...",
            "The rows of the past are kept of 80 devices, and filled in for 80 more ...",
            "The rows of the past are kept of 80 devices.");
    assertThat(said)
        .filteredOn(each -> each.startsWith("Trial"))
        .containsExactly(
            "Trial (search) of 80 rows/s for 30 s at most ...",
            "Trial (search) of 160 rows/s for 30 s at most ...",
            "Trial (confirm) of 80 rows/s for 31 s at most ...");
    assertThat(told.getLast().report().sums()).isNotEmpty().allMatch(Sum::agrees);
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
    FindMax.Offered offered = search.offered();
    // Less on a machine that others keep busy; a thousand times as many are thrown away.
    assertThat(offered.rows()).isBetween(1L, 80L);
    assertThat(offered.isOffered()).isTrue();
  }

  /// A machine that others keep busy holds clients up for moments: that is no limit of theirs.
  @Test
  void clientsThatAreLateForAMomentStillOfferTheRate() {
    OnlineJob job = Jobs.of("rows: 40\nclients: 4\nduration: 2s\nprefill: no", "share: 0 %");
    AtomicInteger writes = new AtomicInteger();
    FindMax search =
        new FindMax(
            job,
            each -> {
              MemoryStore store = new MemoryStore();
              store.encode =
                  rows -> {
                    if (rows.rows() > MOST_ROWS_PER_WRITE) {
                      store.pause(1_500);
                    } else if (writes.incrementAndGet() == 1) {
                      // The next write begins 120 ms late.
                      store.pause(1_120);
                    }
                  };
              return new OnlineStores(store, store::aggregate, HostLocation.NOWHERE);
            },
            SILENT,
            _ -> {});
    FindMax.Offered offered = search.offered();
    assertThat(offered.isOffered()).isTrue();
    assertThat(offered.rows()).isEqualTo(80);
  }

  @Test
  void aRateThatClientsAreLateAtByThemselvesIsNotOffered() {
    OnlineJob job = Jobs.of("rows: 120\nclients: 4\nduration: 2s\nprefill: no", "share: 0 %");
    FindMax search =
        new FindMax(
            job,
            each -> {
              MemoryStore store = new MemoryStore();
              store.encode = _ -> store.pause(1_500);
              return new OnlineStores(store, store::aggregate, HostLocation.NOWHERE);
            },
            SILENT,
            _ -> {});
    FindMax.Offered offered = search.offered();
    assertThat(offered.isOffered()).isFalse();
    assertThat(offered.rows()).isEqualTo(120);
  }
}
