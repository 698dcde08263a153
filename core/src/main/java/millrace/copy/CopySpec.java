package millrace.copy;

import java.io.Serializable;
import millrace.engine.retry.RetryPolicy;
import millrace.plan.Job;
import millrace.report.Goal;
import millrace.resume.ResumeChoice;
import org.jspecify.annotations.Nullable;

/// All that a copy is asked for. It may cross to another JVM.
///
/// @param job which rows go where, and how
/// @param resume what becomes of an earlier run of the same copy
/// @param retryPolicy how long it goes on if nothing moves
/// @param measures what is measured beyond what every run is
/// @param increment which rows an incremental copy reads; null of any other
public record CopySpec(
    Job job,
    ResumeChoice resume,
    RetryPolicy retryPolicy,
    Measures measures,
    @Nullable Increment increment)
    implements Serializable {

  /// One that is not incremental.
  public CopySpec(Job job, ResumeChoice resume, RetryPolicy retryPolicy, Measures measures) {
    this(job, resume, retryPolicy, measures, null);
  }

  /// The same of another job.
  public CopySpec with(Job other) {
    return new CopySpec(other, resume, retryPolicy, measures, increment);
  }

  /// What is measured beyond what every run is.
  ///
  /// @param ceilings whether each part is measured by itself first
  /// @param goal what the run is held against, or null
  /// @param counters whether the counters of the servers and of their processes are read, which
  ///   every copy does but one that is small among many
  public record Measures(boolean ceilings, @Nullable Goal goal, boolean counters)
      implements Serializable {

    /// Nothing.
    public static final Measures NONE = new Measures(false, null, true);

    /// Not even what every copy measures.
    public static final Measures LEAST = new Measures(false, null, false);
  }

  /// A copy that neither looks for an earlier run nor measures anything beside itself.
  public static CopySpec of(Job job, RetryPolicy retryPolicy) {
    return new CopySpec(job, ResumeChoice.NONE, retryPolicy, Measures.NONE);
  }
}
