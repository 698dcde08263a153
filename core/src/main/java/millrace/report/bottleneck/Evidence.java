package millrace.report.bottleneck;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import millrace.engine.meter.CounterTrouble;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.PhaseLog;
import millrace.engine.meter.ServerWaits;
import millrace.engine.tuning.LaneTuner;
import millrace.report.Ceilings;
import millrace.report.Report;
import millrace.report.host.HostFigures;
import millrace.spi.write.RowCost;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// What a run has left behind, by which its slowest part is told.
///
/// @param rows rows that moved
/// @param rejects bad records that were set aside
/// @param copyNanos for how long rows were moving
/// @param steps all that the run did, one after the other
/// @param stepWaits what steps were seen to wait for, by their names, as sentences without their
///   end
/// @param lanes how many worked, and why not more
/// @param stages where the lanes' time went
/// @param host what the machine did, or null if nobody watched
/// @param ends what the ends themselves tell
/// @param ceilings how fast each part was by itself, or null if that was not measured
public record Evidence(
    long rows,
    long rejects,
    long copyNanos,
    List<PhaseLog.Phase> steps,
    Map<String, String> stepWaits,
    Lanes lanes,
    List<Report.StageTime> stages,
    @Nullable HostFigures host,
    Ends ends,
    @Nullable Ceilings ceilings) {

  /// What the ends themselves tell.
  ///
  /// @param waits what their servers were seen to wait for
  /// @param counters how their counters moved
  /// @param troubles what their counters tell of
  /// @param rowCosts what makes each row dear for the target, as far as it knows
  /// @param intoStream whether another program reads what the target gets
  /// @param commits how often rows were committed
  public record Ends(
      ServerWaits waits,
      List<CounterWatch.Counter> counters,
      List<CounterTrouble> troubles,
      List<RowCost> rowCosts,
      boolean intoStream,
      Commits commits) {

    /// Of a run whose commits nobody counted.
    public Ends(
        ServerWaits waits,
        List<CounterWatch.Counter> counters,
        List<CounterTrouble> troubles,
        List<RowCost> rowCosts,
        boolean intoStream) {
      this(waits, counters, troubles, rowCosts, intoStream, new Commits(0, 0, null));
    }

    public Ends {
      counters = List.copyOf(counters);
      troubles = List.copyOf(troubles);
      rowCosts = List.copyOf(rowCosts);
    }
  }

  /// How often rows were committed.
  ///
  /// @param commits how often; 0 if nobody counted
  /// @param parts how many parts of the source were done, such as files
  /// @param unit how much the user wanted to be committed at a time, or null
  public record Commits(long commits, long parts, @Nullable Amount unit) {}

  /// The lanes of a run.
  ///
  /// @param count how many; if the run found that out, how many were best
  /// @param why why not more; empty if nothing stood against it
  /// @param tried what each number of them moved that the run tried
  /// @param busyNanos for how long lanes had something to do or to try again, summed over them
  /// @param processors how many processors this process may use
  /// @param elsewhere which part of the time other processes were at work that they had for it, if
  ///   the lanes are theirs, from 0 to 1; negative if they are this process's own
  public record Lanes(
      int count,
      String why,
      List<LaneTuner.LaneRate> tried,
      long busyNanos,
      int processors,
      double elsewhere) {

    /// Of this process.
    public Lanes(
        int count, String why, List<LaneTuner.LaneRate> tried, long busyNanos, int processors) {
      this(count, why, tried, busyNanos, processors, -1);
    }

    public Lanes {
      tried = List.copyOf(tried);
    }

    /// Whether the run tried several numbers, so that not all lanes were there all the time.
    boolean wereTried() {
      return tried.size() > 1;
    }

    Optional<LaneTuner.LaneRate> tried(int lanes) {
      return tried.stream().filter(each -> each.lanes() == lanes).findFirst();
    }
  }

  public Evidence {
    steps = List.copyOf(steps);
    stepWaits = Map.copyOf(stepWaits);
    stages = List.copyOf(stages);
  }

  /// The server that an end is reached through, or null if it has none or it is not seen.
  HostFigures.@Nullable Server server(String role) {
    return host == null
        ? null
        : host.servers().stream()
            .filter(server -> server.role().contains(role))
            .findFirst()
            .orElse(null);
  }

  /// How far a counter of an end's connections moved.
  OptionalLong wire(String role, String name) {
    return ends.counters().stream()
        .filter(counter -> counter.group().equals("wire"))
        .filter(counter -> counter.end().equals(role) && counter.name().equals(name))
        .mapToLong(CounterWatch.Counter::change)
        .findFirst();
  }
}
