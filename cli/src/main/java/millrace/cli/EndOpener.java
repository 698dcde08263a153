package millrace.cli;

import java.util.Locale;
import millrace.connectors.Connectors;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallGuard;
import millrace.fault.Fault;
import millrace.plan.Endpoints;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Waiting;
import millrace.spi.source.Selection;
import millrace.spi.source.Source;
import millrace.spi.target.Target;
import millrace.spi.target.WriteOptions;

/// Opens the ends of jobs and plans copies, and says what of others' that waits for.
final class EndOpener {

  private final Context context;
  private final boolean quiet;
  private final StallGuard stallGuard;

  /// @param retryPolicy how long others are waited for
  /// @param quiet whether nothing is said while they are
  EndOpener(Context context, RetryPolicy retryPolicy, boolean quiet) {
    this.context = context;
    this.quiet = quiet;
    stallGuard = new StallGuard(retryPolicy, waits -> say(waits + "."));
  }

  private void say(String words) {
    if (!quiet) {
      context.console().say("millrace: " + Endpoints.redact(words));
    }
  }

  /// Says what is waited for before another try.
  void tryAgain(Fault.Transient fault, long waitNanos, int tries) {
    say(
        String.format(
            Locale.ROOT,
            "waiting %.1f s: %s (try %d)",
            waitNanos / 1e9,
            fault.getMessage(),
            tries));
  }

  Source source(Endpoint end, Selection selection) {
    Connector connector = Connectors.of(end);
    return stallGuard.get(
        end.labelWithTable() + " is being opened",
        connector,
        () -> connector.source(end, selection));
  }

  Target target(Endpoint end, WriteOptions writeOptions) {
    Connector connector = Connectors.of(end);
    return stallGuard.get(
        end.labelWithTable() + " is being opened",
        connector,
        () -> connector.target(end, writeOptions));
  }

  Plan plan(Job job, Source source, Target target) {
    return stallGuard.get(
        "the copy is being planned",
        Waiting.both(source, target),
        () -> Planner.plan(job, source, target));
  }
}
