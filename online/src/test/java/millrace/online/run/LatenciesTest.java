package millrace.online.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.online.load.WriteListener.Times;
import millrace.online.report.OnlineReport.Latency;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogProcessor;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every write is in one interval of the log, and once in the whole.
final class LatenciesTest {

  private static final List<String> TAGS = List.of("start_delay", "service", "response");
  private static final long STARTED_MILLIS = 1_000_000;

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final Random random = new Random(5);

  /// The writes of each interval; some have none.
  private List<List<Times>> intervals() {
    List<List<Times>> intervals = new ArrayList<>();
    for (int count : new int[] {3, 1, 0, 40, 0, 0, 7}) {
      List<Times> writes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        writes.add(new Times(random.nextInt(2_000_000_000), random.nextInt(900_000_000)));
      }
      intervals.add(writes);
    }
    return intervals;
  }

  private Latencies told(List<List<Times>> intervals) {
    return told(intervals, new PrintStream(log, false, UTF_8));
  }

  private static Latencies told(List<List<Times>> intervals, @Nullable PrintStream to) {
    Latencies latencies = new Latencies(to, STARTED_MILLIS);
    long elapsed = 0;
    for (List<Times> writes : intervals) {
      writes.forEach(latencies::add);
      latencies.tick(elapsed += 1_000);
    }
    return latencies;
  }

  private Map<String, List<Histogram>> logged() {
    Map<String, List<Histogram>> logged = new HashMap<>();
    HistogramLogReader reader = new HistogramLogReader(new ByteArrayInputStream(log.toByteArray()));
    while (reader.hasNext()) {
      Histogram each = (Histogram) reader.nextIntervalHistogram();
      logged.computeIfAbsent(each.getTag(), _ -> new ArrayList<>()).add(each);
    }
    return logged;
  }

  private static List<Long> micros(String tag, List<Times> writes) {
    return writes.stream()
        .map(times ->
            switch (tag) {
                  case "start_delay" -> times.startDelay();
                  case "service" -> times.service();
                  default -> times.startDelay() + times.service();
                }
                / 1_000)
        .toList();
  }

  @Test
  void withAndWithoutALogEachWriteCountsOnce() {
    List<List<Times>> intervals = intervals();
    long writes = intervals.stream().mapToLong(List::size).sum();
    for (Latencies latencies : List.of(told(intervals), told(intervals, null))) {
      assertThat(latencies.all()).hasSize(TAGS.size()).allMatch(kind -> kind.count() == writes);
    }
  }

  @Test
  void eachIntervalOfTheLogHasItsOwnWritesAndNoOthers() {
    List<List<Times>> intervals = intervals();
    assertThat(told(intervals).all()).hasSize(TAGS.size());
    List<List<Times>> some = intervals.stream().filter(writes -> !writes.isEmpty()).toList();
    Map<String, List<Histogram>> logged = logged();
    assertThat(logged).containsOnlyKeys(TAGS);
    for (String tag : TAGS) {
      List<Histogram> ofTag = Objects.requireNonNull(logged.get(tag));
      assertThat(ofTag)
          .as(tag)
          .extracting(Histogram::getTotalCount)
          .isEqualTo(some.stream().map(writes -> (long) writes.size()).toList());
      for (int i = 0; i < some.size(); i++) {
        Histogram interval = ofTag.get(i);
        for (long value : micros(tag, some.get(i))) {
          assertThat(interval.getCountAtValue(value)).as("%s of %d us", tag, value).isPositive();
        }
      }
    }
    assertThat(logged.get("service"))
        .extracting(each -> each.getEndTimeStamp() - each.getStartTimeStamp())
        .containsOnly(1_000L);
    assertThat(logged.get("service"))
        .extracting(each -> each.getEndTimeStamp() - STARTED_MILLIS)
        .containsExactly(1_000L, 2_000L, 4_000L, 7_000L);
  }

  /// By the tool that users have: each line of its table begins with when the interval ends.
  @Test
  void histogramsOwnProcessorReadsTheLog(@TempDir Path folder) throws Exception {
    List<List<Times>> intervals = intervals();
    assertThat(told(intervals).all()).hasSize(TAGS.size());
    Path file = Files.write(folder.resolve("times.hlog"), log.toByteArray());
    for (String tag : TAGS) {
      Path table = folder.resolve(tag);
      HistogramLogProcessor processor =
          new HistogramLogProcessor(
              new String[] {"-i", file.toString(), "-o", table.toString(), "-tag", tag});
      processor.start();
      processor.join();
      Pattern line = Pattern.compile("([0-9.]+): I:([0-9]+) .*T:([0-9]+) .*");
      List<String> ends = new ArrayList<>();
      List<String> counts = new ArrayList<>();
      Files.readAllLines(table).stream()
          .map(line::matcher)
          .filter(Matcher::matches)
          .forEach(each -> {
            ends.add(each.group(1));
            counts.add(each.group(2));
          });
      assertThat(ends).as(tag).containsExactly("1.000", "2.000", "4.000", "7.000");
      assertThat(counts).as(tag).containsExactly("3", "1", "40", "7");
    }
  }

  @Test
  void theWholeHasEveryWriteOnce() {
    List<List<Times>> intervals = intervals();
    Latencies latencies = told(intervals);
    assertIsWhole(latencies.all(), intervals);
    latencies.tick(99_000);
    assertIsWhole(latencies.all(), intervals);
  }

  private static void assertIsWhole(List<Latency> all, List<List<Times>> intervals) {
    List<Times> writes = intervals.stream().flatMap(List::stream).toList();
    assertThat(all)
        .extracting(Latency::name)
        .containsExactly("start delay", "service time", "response time");
    for (int i = 0; i < TAGS.size(); i++) {
      List<Long> sorted = micros(TAGS.get(i), writes).stream().sorted().toList();
      Latency latency = all.get(i);
      assertThat(latency.count()).as(latency.name()).isEqualTo(sorted.size());
      assertNear(latency.p50(), sorted, 0.5);
      assertNear(latency.p90(), sorted, 0.9);
      assertNear(latency.max(), sorted, 1);
    }
  }

  /// A histogram keeps three digits.
  private static void assertNear(double millis, List<Long> sorted, double share) {
    double exact = sorted.get((int) Math.ceil(share * sorted.size()) - 1) / 1e3;
    assertThat(millis).isBetween(exact * 0.998, exact * 1.002);
  }
}
