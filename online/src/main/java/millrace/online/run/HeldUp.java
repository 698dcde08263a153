package millrace.online.run;

import millrace.spi.HostLocation;

/// For which share of the time of writes and aggregates this machine held a run up: clients, or a
/// target on this machine, waited for a processor that others used.
final class HeldUp {

  /// Several processes of a server may wait at once, for one write.
  private static final double MAX = 0.9;

  private HeldUp() {}

  /// What clients waited for while they wrote or aggregated.
  ///
  /// @param workSeconds for how long writes and aggregates went on, all together
  /// @param queuedSeconds for how long clients waited for a processor while they wrote
  /// @param queuedShare the same as a share of the time of writes, from 0 to 1
  record Work(double workSeconds, double queuedSeconds, double queuedShare) {}

  /// The share, from 0 to 1.
  static double share(OwnWatch.Crowd crowd, Work work, HostLocation target) {
    double ofServers = work.workSeconds > 0 ? crowd.targetWaitedSeconds() / work.workSeconds : 0;
    double seen = work.queuedShare + ofServers;
    return Math.min(MAX, isEmbedded(target) ? Math.max(seen, chained(crowd, work)) : seen);
  }

  /// It works on the threads of the clients.
  private static boolean isEmbedded(HostLocation target) {
    return target.services().isEmpty() && !target.paths().isEmpty();
  }

  /// Clients of an embedded target also wait for each other, in its locks: who has the lock waits
  /// for a processor, and all others wait with it. So what one second of work takes is that second,
  /// and what the threads waited for each second that they were on a processor. It is no more than
  /// others took of the machine: the rest, clients would also take from each other alone.
  private static double chained(OwnWatch.Crowd crowd, Work work) {
    double queued = work.queuedSeconds;
    if (!(queued > 0) || !(crowd.seconds() > 0)) {
      return 0;
    }
    double ofWork = queued / (queued + Math.max(0, crowd.ownSeconds()));
    double ofRun = queued / crowd.seconds();
    return Math.min(crowd.share(), Math.min(ofWork, ofRun));
  }
}
