package millrace.online.run;

import java.util.List;
import java.util.Optional;
import millrace.online.load.ClockThread;
import millrace.online.load.ProcessPauses;
import millrace.online.load.Schedule;
import millrace.online.report.ProcessorUse;
import millrace.online.report.Series;
import millrace.report.host.HostFigures;
import millrace.report.host.HostFigures.Cpu;
import millrace.report.host.HostWatch;
import millrace.report.host.ProcessWaits;
import millrace.spi.HostLocation;
import org.jspecify.annotations.Nullable;

/// Watches what makes clients late by themselves while a run goes on: pauses of this process, and
/// what takes the processors of this machine and is neither this process nor the target's server.
/// One thread begins and ends it; any may ask.
final class SelfWatch {

  private final ProcessPauses pauses = new ProcessPauses();
  private final HostWatch host;
  private final ProcessWaits waits;

  private @Nullable ClockThread watching;

  private SelfWatch(HostWatch host, ProcessWaits waits) {
    this.host = host;
    this.waits = waits;
  }

  /// Begins. That takes a moment: it comes before the schedule.
  ///
  /// @param target where the target is, so that its own server is known
  static SelfWatch start(HostLocation target) {
    HostWatch host = HostWatch.prepare(HostLocation.NOWHERE, target);
    host.start();
    ProcessWaits waits = ProcessWaits.of(target);
    waits.start();
    return new SelfWatch(host, waits);
  }

  /// For how many nanoseconds the target waited for a processor, of a call from one moment to
  /// another.
  long targetHeld(long from, long to) {
    return waits.heldNanos(from, to);
  }

  /// Begins to watch for pauses: clients begin next.
  void begin() {
    watching = pauses.start();
  }

  /// For the clients.
  ProcessPauses pauses() {
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
  /// @param disk looks where the target keeps its data, if that is on this machine
  /// @return who took the processors, if that is known
  Optional<ProcessorUse> end(long rows, FullDisk disk) throws InterruptedException {
    ClockThread thread = watching;
    if (thread != null) {
      thread.end();
      thread.join();
    }
    waits.close();
    HostFigures figures = host.finish(rows);
    disk.look(figures.storage().homes());
    Cpu cpu = figures.cpu();
    double servers = Math.max(0, cpu.serversS());
    double all =
        cpu.millraceS() + servers + cpu.restS() + cpu.idleS() + cpu.iowaitS() + cpu.stolenS();
    return cpu.restS() < 0 || !(all > 0)
        ? Optional.empty()
        : Optional.of(
            new ProcessorUse(
                cpu.millraceS() / all, servers / all, (cpu.restS() + cpu.stolenS()) / all));
  }
}
