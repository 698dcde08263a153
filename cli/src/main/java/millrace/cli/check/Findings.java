package millrace.cli.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;

/// What each part of a check came to. One thread.
final class Findings {

  private static final int WIDTH_MAX = 400;
  private static final int GAP = 2;

  /// How a part ended.
  private enum Outcome {
    OK("ok"),
    FAILED("failed"),
    NOT_POSSIBLE("not possible");

    private final String words;

    Outcome(String words) {
      this.words = words;
    }
  }

  /// One part.
  private record Finding(String what, Outcome outcome, String detail) {}

  /// That a part went through, but what it left is not what it should be.
  static final class WrongResultException extends RuntimeException {

    private static final long serialVersionUID = 1;

    WrongResultException(String detail) {
      super(detail);
    }
  }

  /// That this server, or this user, has no such thing.
  static final class NotPossibleException extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotPossibleException(String why) {
      super(why);
    }
  }

  private final List<Finding> all = new ArrayList<>();

  /// Tries one part, and goes on whatever it comes to.
  ///
  /// @param part says what is worth knowing when it has gone well
  /// @return whether it went well
  /// @throws Fault.Cancelled if the user stops the whole
  boolean check(String what, Supplier<String> part) {
    Finding found = find(what, part);
    all.add(found);
    return found.outcome == Outcome.OK;
  }

  /// Likewise, of a part that may be refused with a reason, which is then no failure.
  boolean checkIfPossible(String what, Supplier<String> part) {
    return check(
        what,
        () -> {
          try {
            return part.get();
          } catch (Fault.User e) {
            throw new NotPossibleException(FaultMessage.of(e));
          }
        });
  }

  private static Finding find(String what, Supplier<String> part) {
    try {
      return new Finding(what, Outcome.OK, part.get());
    } catch (Fault.Cancelled e) {
      throw e;
    } catch (NotPossibleException e) {
      return new Finding(what, Outcome.NOT_POSSIBLE, String.valueOf(e.getMessage()));
    } catch (WrongResultException e) {
      return new Finding(what, Outcome.FAILED, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return new Finding(what, Outcome.FAILED, FaultMessage.of(Fault.of(e)));
    }
  }

  /// Notes what can't be tried.
  void notPossible(String what, String why) {
    all.add(new Finding(what, Outcome.NOT_POSSIBLE, why));
  }

  /// Whether any part failed.
  boolean anyFailed() {
    return all.stream().anyMatch(found -> found.outcome == Outcome.FAILED);
  }

  /// A line for each, and what they come to.
  List<String> lines() {
    int width = all.stream().mapToInt(found -> found.what.length()).max().orElse(0);
    List<String> lines = new ArrayList<>();
    for (Finding found : all) {
      String line =
          found.what
              + " ".repeat(width - found.what.length() + GAP)
              + found.outcome.words
              + " ".repeat(Outcome.NOT_POSSIBLE.words.length() - found.outcome.words.length() + GAP)
              + cut(found.detail);
      lines.add(line.stripTrailing());
    }
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%d ok, %d failed, %d not possible",
            count(Outcome.OK),
            count(Outcome.FAILED),
            count(Outcome.NOT_POSSIBLE)));
    return lines;
  }

  private long count(Outcome outcome) {
    return all.stream().filter(found -> found.outcome == outcome).count();
  }

  private static String cut(String detail) {
    String line = detail.replaceAll("\\s*\\R\\s*", " ");
    return line.length() <= WIDTH_MAX ? line : line.substring(0, WIDTH_MAX) + "…";
  }
}
