package millrace.report.host;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What the machine did from the beginning of a run to its end.
///
/// Part of the report, so that names end in their units. A number that is not known is -1.
///
/// @param elapsedS how long was watched
/// @param cpuModel what the processors are called; empty if unknown
/// @param processors how many of them the machine has
/// @param clockMhzMin slowest clock seen, over all processors
/// @param clockMhzMean mean clock
/// @param clockMhzMax fastest clock seen
/// @param cpu who took how much processor time
/// @param laneWaits for how much of their time the lanes were on a processor or had to wait for
///   one; null if that is unknown
/// @param servers the servers that both ends are reached through, one each
/// @param disks the disks under both ends
/// @param homes what lies on which disk
/// @param shareDisk whether source and target have a disk in common; null if that is unknown or one
///   of them is on no disk
/// @param numaNodes how many NUMA nodes the machine has
/// @param laneNodes where the lanes' threads ran; empty if there is one node
/// @param unknown what could not be found out and why, a sentence each
public record HostFigures(
    double elapsedS,
    String cpuModel,
    int processors,
    double clockMhzMin,
    double clockMhzMean,
    double clockMhzMax,
    Cpu cpu,
    @Nullable LaneWaits laneWaits,
    List<Server> servers,
    List<Disk> disks,
    List<Home> homes,
    @Nullable Boolean shareDisk,
    int numaNodes,
    List<LaneNode> laneNodes,
    List<String> unknown) {

  public HostFigures {
    servers = List.copyOf(servers);
    disks = List.copyOf(disks);
    homes = List.copyOf(homes);
    laneNodes = List.copyOf(laneNodes);
    unknown = List.copyOf(unknown);
  }

  /// Processor time in seconds, over all processors.
  ///
  /// @param millraceUserS this process, its own code
  /// @param millraceSystemS this process, in the kernel
  /// @param millraceJitS what of it the just-in-time compiler took
  /// @param millraceGcS what of it the garbage collector took
  /// @param serversS local processes of the servers of both ends
  /// @param restS everything else that ran
  /// @param idleS nothing to do
  /// @param iowaitS nothing to do, and some process waited for a disk
  /// @param stolenS the hypervisor gave the processor to somebody else
  /// @param millraceUsPerRow microseconds of this process for a row
  /// @param millraceSharePercent this process's share of what it and the servers took
  /// @param millraceShareOfBusyPercent this process's share of all that ran on the machine
  public record Cpu(
      double millraceUserS,
      double millraceSystemS,
      double millraceJitS,
      double millraceGcS,
      double serversS,
      double restS,
      double idleS,
      double iowaitS,
      double stolenS,
      double millraceUsPerRow,
      double millraceSharePercent,
      double millraceShareOfBusyPercent) {

    /// If the system tells nothing.
    public static final Cpu UNKNOWN = new Cpu(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);

    /// All that this process took, or -1.
    public double millraceS() {
      return millraceUserS < 0 ? -1 : millraceUserS + millraceSystemS;
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
  public record Server(
      String role,
      String label,
      String foundBy,
      double cpuS,
      double busyProcessesMean,
      double busyPercentMean,
      double waitingPercentMean) {

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

  /// Where the lanes' threads ran.
  ///
  /// @param node number of the NUMA node
  /// @param percent how much of the samples found a busy lane there
  public record LaneNode(int node, double percent) {}
}
