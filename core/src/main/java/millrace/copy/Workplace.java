package millrace.copy;

import millrace.engine.RunOptions;
import millrace.engine.remote.Cluster;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.resume.Journal;
import millrace.resume.PlannedCopy;
import millrace.spi.Endpoint;
import millrace.spi.write.TargetDescription;
import org.jspecify.annotations.Nullable;

/// Where the splits of a copy are worked off: in this process, or in those of a cluster, which read
/// the source in one state that is held here meanwhile.
final class Workplace implements AutoCloseable {

  private static final String ONE_MACHINE = "Copy on one machine, without --on.";

  private final Endpoint from;
  private final Endpoint to;
  private final @Nullable Cluster cluster;
  private final @Nullable SharedMoment moment;
  private boolean isHere;
  private long startNanos;

  private Workplace(
      Endpoint from, Endpoint to, @Nullable Cluster cluster, @Nullable SharedMoment moment) {
    this.from = from;
    this.to = to;
    this.cluster = cluster;
    this.moment = moment;
  }

  /// Takes the state of the source, if several processes are to read it.
  ///
  /// @throws Fault.User if they can't
  static Workplace of(CopyContext context, EndOpener opener, Job job) {
    if (context.cluster() == null) {
      return new Workplace(job.from(), job.to(), null, null);
    }
    Endpoint to = opener.anywhere(job.to());
    SharedMoment moment = opener.moment(opener.anywhere(job.from()));
    return new Workplace(moment.end(), to, context.cluster(), moment);
  }

  /// The source as it is to be opened.
  Endpoint from() {
    return from;
  }

  /// The copy as it is done there.
  ///
  /// @throws Fault.User if the cluster can't do it
  PlannedCopy plan(PlannedCopy copy) {
    if (cluster == null || moment == null) {
      return copy;
    }
    Plan plan = copy.planned().plan();
    if (plan.job().tuning().single()) {
      // So few rows that one transaction takes them, which is one of this process.
      isHere = true;
      return copy;
    }
    moment.check(plan.source());
    Journal journal = Journal.of(copy.planned().target());
    TargetDescription.NoJournal none = plan.target().noJournal();
    if (journal == null || none != null) {
      throw refused(
          plan.target().label()
              + " keeps no journal"
              + (none == null ? "" : ": " + none.why())
              + ". Without one, processes of a cluster can't write to one copy.");
    }
    journal.checkShared();
    if (copy.planned().request().landing().whole()) {
      throw refused(
          plan.target().label()
              + " takes the rows of such a copy in one transaction, and that of one process.");
    }
    if (plan.limits()) {
      throw refused("--limit counts rows as one process reads them here.");
    }
    long began = System.nanoTime();
    int room = cluster.room();
    startNanos = System.nanoTime() - began;
    return new PlannedCopy(copy.planned().with(plan.forProcesses(room)), copy.earlier());
  }

  /// How long the cluster's processes took to come; 0 without one.
  long startNanos() {
    return startNanos;
  }

  private static Fault.User refused(String why) {
    return new Fault.User(why, ONE_MACHINE);
  }

  /// How the run goes about it.
  RunOptions options(RetryPolicy retryPolicy) {
    return RunOptions.of(
        retryPolicy,
        cluster == null || isHere ? null : new RunOptions.Processes(cluster, from, to));
  }

  @Override
  public void close() {
    if (moment != null) {
      moment.close();
    }
  }
}
