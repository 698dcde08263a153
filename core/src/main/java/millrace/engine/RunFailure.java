package millrace.engine;

import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.HeapTrouble;
import millrace.plan.Plan;
import org.jspecify.annotations.Nullable;

/// What is told of a run that has failed.
final class RunFailure {

  private RunFailure() {}

  /// Throws what went wrong first, if anything did.
  static void throwFirst(@Nullable Throwable cause, int lanes) {
    switch (cause) {
      case null -> {}
      case OutOfMemoryError e ->
          throw HeapTrouble.of(
              e,
              " for these rows on " + (lanes == 1 ? "one lane" : lanes + " lanes"),
              "Use " + (lanes == 1 ? "" : "fewer --lanes or ") + "a smaller --read-unit");
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new Fault.Bug("unexpected " + cause, cause);
    }
  }

  /// A value may fit the source's types and not those of the table that is replaced.
  static Fault.Data explained(Plan plan, Fault.Data fault) {
    String message = String.valueOf(fault.getMessage());
    return plan.retainedTypes().stream()
        .filter(name -> message.matches("(?s).*\\bcolumn \"?" + Pattern.quote(name) + "\\b.*"))
        .findFirst()
        .map(name -> explained(fault, message, name))
        .orElse(fault);
  }

  private static Fault.Data explained(Fault.Data fault, String message, String column) {
    Fault.Data explained =
        new Fault.Data(
            message
                + (message.endsWith(".") ? "" : ".")
                + " The type of column "
                + column
                + " is that of the old table.",
            "To take the source's types instead, add --types source. " + fault.advice(),
            fault.location());
    explained.addSuppressed(fault);
    return explained;
  }

  /// A merge that deletes what did not come, of a source in which there is nothing.
  static Fault.User wouldDeleteAll(Plan plan) {
    return new Fault.User(
        "The source has no rows, and --deletes would delete all rows of "
            + plan.target().contents().name()
            + ".",
        "If that is meant, use --mode truncate.");
  }
}
