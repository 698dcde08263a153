package millrace.online.job;

import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.spi.online.OnlineLayout;
import org.jspecify.annotations.Nullable;

/// What a run is asked for.
///
/// @param target where the tables are, as a URL or a named connection
/// @param load what is written, and when
/// @param windows from the shortest upwards
/// @param late which rows come late, and how late they may be
/// @param tables how the tables are made
/// @param pass what the run must hold
/// @param engine another engine that aggregates; null if the target does it itself
public record OnlineJob(
    String target,
    Load load,
    List<WindowSpec> windows,
    Late late,
    Tables tables,
    Pass pass,
    @Nullable Engine engine) {

  /// A shorter run does not tell whether the backlog grows.
  public static final Duration BACKLOG_MIN = Duration.ofSeconds(30);

  /// A run that writes a smaller share of its rows within its time has not offered its rate.
  public static final double OFFERED_MIN = 0.95;

  /// What is written. Every second has one row for each device.
  ///
  /// @param rows a second, which is also the number of devices
  /// @param clients how many write at once, each its share of the devices
  /// @param duration for how long
  /// @param clock where the data's clock starts
  /// @param prefill whether the windows that are open at the start have the rows of their past
  /// @param sorted whether each client sorts its rows by the key before it writes them
  /// @param rowsFrom who says how many rows, for messages, such as `job.yaml, line 3: load.rows`
  public record Load(
      long rows,
      int clients,
      Duration duration,
      LocalDateTime clock,
      boolean prefill,
      boolean sorted,
      String rowsFrom) {

    /// The same with another number of rows a second.
    ///
    /// @param from who says so
    public Load with(long otherRows, String from) {
      return new Load(otherRows, clients, duration, clock, prefill, sorted, from);
    }

    /// The same with or without the rows of the past.
    public Load withPrefill(boolean fills) {
      return new Load(rows, clients, duration, clock, fills, sorted, rowsFrom);
    }

    /// The same with another number of rows a second and another duration.
    public Load with(long otherRows, Duration otherDuration) {
      return new Load(otherRows, clients, otherDuration, clock, prefill, sorted, rowsFrom);
    }
  }

  /// Windows that are aggregated from the level below.
  ///
  /// @param delay how long after its end a window is begun, by the clock
  public record WindowSpec(String name, Duration length, Duration delay) {}

  /// Which rows come late.
  ///
  /// @param share of the rows, from 0 to 1
  /// @param delay the mean of an exponential distribution
  /// @param allowed rows that come later than that go into a table of their own
  /// @param every how often windows that late rows have come for are aggregated again
  public record Late(double share, Duration delay, Duration allowed, Duration every) {

    /// How long a run has to be so that no more than a few of its rows come after its end. What is
    /// still out is then about what comes late within one mean delay.
    Duration offeredWithin() {
      double most = OUT_SHARE * (1 - OFFERED_MIN);
      if (share <= most) {
        return Duration.ZERO;
      }
      return Duration.ofSeconds((long) Math.ceil(share * delay.toMillis() / 1e3 / most));
    }

    /// Of what may be left out, to be on the safe side.
    private static final double OUT_SHARE = 0.8;
  }

  /// How the tables are made.
  ///
  /// @param raw the table of what arrives; those of the levels are named `raw_level`
  /// @param timeFirst whether keys begin with the time
  /// @param partition how wide the range partitions of what arrives are; zero if there are none
  /// @param ahead how long before they are needed they are made
  /// @param hashBuckets by hash of the device; 0 if nobody says
  public record Tables(
      String raw, boolean timeFirst, Duration partition, Duration ahead, int hashBuckets) {

    /// Whether the tables can have a name that begins so.
    public static boolean isName(String raw) {
      return raw.matches("[A-Za-z_][A-Za-z0-9_]{0,40}");
    }

    /// The same under another name.
    public Tables named(String otherRaw) {
      return new Tables(otherRaw, timeFirst, partition, ahead, hashBuckets);
    }
  }

  /// What the run must hold: report E's four criteria, with a definition of brief spikes.
  ///
  /// @param writeStart writes begin at most so long after their schedule
  /// @param aggregate windows are aggregated within so long
  /// @param badShare the share of seconds and of windows that may break these limits, from 0 to 1
  /// @param badRun how long it may last at once
  public record Pass(Duration writeStart, Duration aggregate, double badShare, Duration badRun) {}

  /// An engine that aggregates by a statement of the user's.
  ///
  /// @param jdbc its URL
  /// @param driver the jar of its driver; empty if Millrace has it
  /// @param statement with {source}, {target}, {start} and {end}
  public record Engine(String jdbc, String driver, String statement) {}

  public OnlineJob {
    windows = List.copyOf(windows);
  }

  /// The same with another load.
  public OnlineJob with(Load other) {
    return new OnlineJob(target, other, windows, late, tables, pass, engine);
  }

  /// The same with tables that are made otherwise.
  public OnlineJob with(Tables other) {
    return new OnlineJob(target, load, windows, late, other, pass, engine);
  }

  /// The least duration in which the clock begins an aggregate of the shortest windows, in which it
  /// can be told whether the backlog grows, and in which so few rows are left out as late ones that
  /// the rate is offered.
  public Duration durationMin() {
    WindowSpec shortest = windows.getFirst();
    Duration begins = shortest.length().plus(shortest.delay()).plusSeconds(1);
    return Stream.of(begins, BACKLOG_MIN, late.offeredWithin()).max(Duration::compareTo).get();
  }

  /// The tables that the run needs.
  public OnlineLayout layout() {
    List<OnlineLayout.Level> levels = new ArrayList<>();
    levels.add(new OnlineLayout.Level("raw", tables.raw(), Duration.ofSeconds(1)));
    for (WindowSpec each : windows) {
      levels.add(
          new OnlineLayout.Level(each.name(), tables.raw() + "_" + each.name(), each.length()));
    }
    return new OnlineLayout(levels, tables.timeFirst(), tables.partition(), tables.hashBuckets());
  }
}
