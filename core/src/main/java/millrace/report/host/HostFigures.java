package millrace.report.host;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What the machine did from the beginning of a run to its end.
///
/// Part of the report, so that names end in their units and what is marked as unwrapped stands flat
/// in its JSON. A number that is not known is -1.
///
/// @param elapsedS how long was watched
/// @param hardware what processors the machine has
/// @param cpu who took how much processor time
/// @param laneWaits for how much of their time the lanes were on a processor or had to wait for
///   one; null if that is unknown
/// @param servers the servers that both ends are reached through, one each
/// @param storage the disks under both ends
/// @param unknown what could not be found out and why, a sentence each
public record HostFigures(
    double elapsedS,
    @JsonUnwrapped Hardware hardware,
    Cpu cpu,
    @Nullable LaneWaits laneWaits,
    List<Server> servers,
    @JsonUnwrapped Storage storage,
    List<String> unknown) {

  public HostFigures {
    servers = List.copyOf(servers);
    unknown = List.copyOf(unknown);
  }

  /// The machine's processors.
  ///
  /// @param cpuModel what they are called; empty if unknown
  /// @param processors how many of them the machine has
  /// @param clockMhzMin slowest clock seen, over all processors
  /// @param clockMhzMean mean clock
  /// @param clockMhzMax fastest clock seen
  public record Hardware(
      String cpuModel,
      int processors,
      double clockMhzMin,
      double clockMhzMean,
      double clockMhzMax) {

    /// So many, of which nothing else is known.
    public static Hardware of(int processors) {
      return new Hardware("", processors, -1, -1, -1);
    }
  }

  /// The disks under both ends.
  ///
  /// @param disks each of them
  /// @param homes what lies on which disk
  /// @param shareDisk whether source and target have a disk in common; null if that is unknown or
  ///   one of them is on no disk
  public record Storage(List<Disk> disks, List<Home> homes, @Nullable Boolean shareDisk) {

    /// If no disk was seen.
    public static final Storage UNKNOWN = new Storage(List.of(), List.of(), null);

    public Storage {
      disks = List.copyOf(disks);
      homes = List.copyOf(homes);
    }
  }

  /// Processor time in seconds, over all processors.
  ///
  /// @param own this process's
  /// @param serversS local processes of the servers of both ends
  /// @param restS everything else that ran
  /// @param idleS nothing to do
  /// @param iowaitS nothing to do, and some process waited for a disk
  /// @param stolenS the hypervisor gave the processor to somebody else
  /// @param share this process's in proportion
  public record Cpu(
      @JsonUnwrapped(prefix = "millrace_") ProcessTime own,
      double serversS,
      double restS,
      double idleS,
      double iowaitS,
      double stolenS,
      @JsonUnwrapped(prefix = "millrace_") ProcessShare share) {

    /// Where the system tells nothing.
    public static final Cpu UNKNOWN =
        new Cpu(new ProcessTime(-1, -1, -1, -1), -1, -1, -1, -1, -1, ProcessShare.UNKNOWN);

    /// Processor time of this process, in seconds.
    ///
    /// @param userS its own code
    /// @param systemS in the kernel
    /// @param jitS what of it the just-in-time compiler took
    /// @param gcS what of it the garbage collector took
    public record ProcessTime(double userS, double systemS, double jitS, double gcS) {}

    /// This process's time in proportion to others'.
    ///
    /// @param usPerRow microseconds for a row
    /// @param sharePercent its share of what it and the servers took
    /// @param shareOfBusyPercent its share of all that ran on the machine
    public record ProcessShare(double usPerRow, double sharePercent, double shareOfBusyPercent) {

      /// If nothing can be said.
      public static final ProcessShare UNKNOWN = new ProcessShare(-1, -1, -1);
    }

    /// All that this process took, or -1.
    public double millraceS() {
      return own.userS < 0 ? -1 : own.userS + own.systemS;
    }

    /// How much of all processors had nothing to do, disks waited for or not; -1 if unknown.
    public double idlePercent() {
      double all = millraceS() + Math.max(0, serversS) + restS + idleS + iowaitS + stolenS;
      return idleS < 0 || all <= 0 ? -1 : 100 * (idleS + iowaitS) / all;
    }
  }

  /// For how much of their time the lanes' threads had something to do and no processor to do it
  /// on, and for how much they were on one.
  ///
  /// @param readersPercent for how much the readers waited; -1 if they had ended too soon to be
  ///   looked at twice
  /// @param writersPercent the writers, likewise
  /// @param readersBusyPercent for how much the readers were on a processor, likewise
  /// @param writersBusyPercent the writers, likewise
  public record LaneWaits(
      double readersPercent,
      double writersPercent,
      double readersBusyPercent,
      double writersBusyPercent) {}

  /// A server's processes on this machine.
  ///
  /// @param role `source`, `target` or `source and target`
  /// @param label its name and address
  /// @param foundBy how its processes were found; empty if they were not
  /// @param cpuS processor time of all its processes, those that ended meanwhile too
  /// @param busyProcessesMean how many of them, or of their threads if they have several, were at
  ///   work at once, on the average
  /// @param busyPercentMean how busy those were, each in percent of one processor
  /// @param waitingPercentMean for how much of the time each of them had something to do and no
  ///   processor to do it on
  /// @param stoppedPercent for how much of the time one of them was stopped, as by SIGSTOP
  public record Server(
      String role,
      String label,
      String foundBy,
      double cpuS,
      double busyProcessesMean,
      double busyPercentMean,
      double waitingPercentMean,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) double stoppedPercent) {

    /// One that nobody has stopped.
    public Server(
        String role,
        String label,
        String foundBy,
        double cpuS,
        double busyProcessesMean,
        double busyPercentMean,
        double waitingPercentMean) {
      this(role, label, foundBy, cpuS, busyProcessesMean, busyPercentMean, waitingPercentMean, 0);
    }

    /// How much of the time those at work had something to do, on a processor or waiting for one: 0
    /// if none was at work, -1 if unknown.
    public double demandPercent() {
      return noneAtWork()
          ? 0
          : busyPercentMean < 0 ? -1 : busyPercentMean + Math.max(0, waitingPercentMean);
    }

    private boolean noneAtWork() {
      return busyProcessesMean == 0;
    }

    /// How many were at work, and how busy each was.
    public String work() {
      return noneAtWork()
          ? "none of its processes had much to do"
          : String.format(
              Locale.ROOT,
              "%.1f processes or threads at work at once, each %.0f %% of the time on a"
                  + " processor%s",
              Math.max(0, busyProcessesMean),
              Math.max(0, busyPercentMean),
              waitingPercentMean < 0
                  ? ""
                  : String.format(Locale.ROOT, " and %.0f %% waiting for one", waitingPercentMean));
    }
  }

  /// A disk.
  ///
  /// @param name the kernel's name, for example `nvme0n1`
  /// @param readMbPerS megabytes read in a second, by everybody
  /// @param writeMbPerS megabytes written in a second, by everybody
  /// @param readQueueMean how many reads were under way or waiting, on the average
  /// @param writeQueueMean likewise for writes
  /// @param busyPercent for how much of the time anything was under way
  public record Disk(
      String name,
      double readMbPerS,
      double writeMbPerS,
      double readQueueMean,
      double writeQueueMean,
      double busyPercent) {}

  /// What lies where.
  ///
  /// @param role `source` or `target`
  /// @param path a file or folder
  /// @param fileSystem the kind of file system, for example `ext4`
  /// @param disks the disks under it; empty for one that has none
  public record Home(String role, String path, String fileSystem, List<String> disks) {

    public Home {
      disks = List.copyOf(disks);
    }
  }
}
