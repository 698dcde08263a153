package millrace.cli;

import java.util.Locale;
import millrace.connectors.Connectors;
import millrace.engine.Opening;
import millrace.engine.Patience;
import millrace.fault.Fault;
import millrace.plan.Endpoints;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Landing;
import millrace.spi.Selection;
import millrace.spi.Source;
import millrace.spi.Target;
import millrace.spi.Waiting;

/// Opens the ends of jobs and plans copies, and says what of others' that waits for.
final class Ends {

  private final Context context;
  private final boolean quiet;
  private final Opening opening;

  /// @param patience how long others are waited for
  /// @param quiet whether nothing is said while they are
  Ends(Context context, Patience patience, boolean quiet) {
    this.context = context;
    this.quiet = quiet;
    opening = new Opening(patience, waits -> say(waits + "."));
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
    return opening.get(
        end.labelWithTable() + " is being opened",
        connector,
        () -> connector.source(end, selection));
  }

  Target target(Endpoint end, Landing landing) {
    Connector connector = Connectors.of(end);
    return opening.get(
        end.labelWithTable() + " is being opened", connector, () -> connector.target(end, landing));
  }

  Plan plan(Job job, Source source, Target target) {
    return opening.get(
        "the copy is being planned",
        Waiting.both(source, target),
        () -> Planner.plan(job, source, target));
  }
}
