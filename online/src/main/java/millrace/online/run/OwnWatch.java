package millrace.online.run;

import java.util.List;
import java.util.Optional;
import millrace.online.load.ClockThread;
import millrace.online.load.OwnPauses;
import millrace.online.load.Schedule;
import millrace.online.report.Series;
import millrace.report.host.HostFigures;
import millrace.report.host.HostFigures.Cpu;
import millrace.report.host.HostWatch;
import millrace.spi.HostLocation;
import org.jspecify.annotations.Nullable;

/// Watches what makes clients late by themselves while a run goes on: pauses of this process, and
/// what takes the processors of this machine and is neither this process nor the target's server.
/// One thread begins and ends it; any may ask.
final class OwnWatch {

  /// From this share of the machine on, clients that wait for a processor wait for others.
  private static final double SHARE_MIN = 0.2;

  private final OwnPauses pauses = new OwnPauses();
  private final HostWatch host;

  private @Nullable ClockThread watching;

  private OwnWatch(HostWatch host) {
    this.host = host;
  }

  /// That others took much of the processors.
  ///
  /// @param share of the processors, from 0 to 1
  /// @param targetWaitedSeconds for how long the processes of the target's server waited for one,
  ///   all together; 0 if it is elsewhere
  /// @param ownSeconds for how long threads of this process were on a processor, all together
  /// @param seconds how long the run took
  record Crowd(double share, double targetWaitedSeconds, double ownSeconds, double seconds) {}

  /// Begins. That takes a moment: it comes before the schedule.
  ///
  /// @param target where the target is, so that its own server is known
  static OwnWatch start(HostLocation target) {
    HostWatch host = HostWatch.prepare(HostLocation.NOWHERE, target);
    host.start();
    return new OwnWatch(host);
  }

  /// Begins to watch for pauses: clients begin next.
  void begin() {
    watching = pauses.start();
  }

  /// For the clients.
  OwnPauses pauses() {
    return pauses;
  }

  /// For how many nanoseconds this process has stood still since a second was due.
  long pausedSince(Schedule schedule, long second) {
    return pauses.between(schedule.dueNanos(second), System.nanoTime());
  }

  /// The pauses so far, by the seconds of the schedule.
  List<Series.Pause> pauses(Schedule schedule) {
    return pauses.all().stream()
        .map(each ->
            new Series.Pause(
                (each.from() - schedule.startNanos()) / 1e9, each.nanos() / 1e9, each.collects()))
        .toList();
  }

  /// Ends it.
  ///
  /// @param rows that were written
  /// @return what others took of the processors, if that was much
  Optional<Crowd> end(long rows) throws InterruptedException {
    ClockThread thread = watching;
    if (thread != null) {
      thread.end();
      thread.join();
    }
    HostFigures figures = host.finish(rows);
    Cpu cpu = figures.cpu();
    double all =
        cpu.millraceS()
            + Math.max(0, cpu.serversS())
            + cpu.restS()
            + cpu.idleS()
            + cpu.iowaitS()
            + cpu.stolenS();
    if (cpu.restS() < 0 || !(all > 0)) {
      return Optional.empty();
    }
    // What a hypervisor gives to others is taken too.
    double share = (cpu.restS() + cpu.stolenS()) / all;
    return share < SHARE_MIN
        ? Optional.empty()
        : Optional.of(
            new Crowd(share, serversWaited(figures), cpu.millraceS(), figures.elapsedS()));
  }

  /// Each process at work waited for a share of the time.
  private static double serversWaited(HostFigures figures) {
    return figures.servers().stream()
        .filter(server -> server.waitingPercentMean() > 0)
        .mapToDouble(server ->
            server.busyProcessesMean() * server.waitingPercentMean() / 100 * figures.elapsedS())
        .sum();
  }
}
