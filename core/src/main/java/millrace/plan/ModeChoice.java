package millrace.plan;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Settles what happens to what a target holds, for every target alike. Pure.
///
/// | what the user says | absent | empty | holds rows |
/// |---|---|---|---|
/// | nothing | create | append | refused |
/// | create | create | refused | refused |
/// | any other mode | that | that | that |
public final class ModeChoice {

  private static final Map<Mode, String> WORDS =
      new EnumMap<>(
          Map.of(
              Mode.CREATE, "create makes it",
              Mode.APPEND, "append adds to them",
              Mode.TRUNCATE, "truncate empties it first",
              Mode.REPLACE, "replace puts a new one in its place",
              Mode.MERGE, "merge updates rows by key"));

  private ModeChoice() {}

  /// The mode of a run.
  ///
  /// @param resumed the run that it goes on with, be it complete; or null
  /// @throws Fault.User if the target does not have the mode, or the user has to choose one
  public static Mode settle(
      DescribedTarget described, WriteOptions options, @Nullable JournaledRun resumed) {
    TargetDescription target = described.description();
    Mode requested = options.mode();
    if (resumed != null && !resumed.complete() && resumed.mode() != null) {
      return resumed.mode();
    }
    if (resumed != null && resumed.complete() && (requested == null || requested == Mode.CREATE)) {
      // The target holds the rows already.
      return target.state() == State.ABSENT ? Mode.CREATE : Mode.APPEND;
    }
    if (target.state() == State.VIEW) {
      throw new Fault.User(
          target.contents().name() + " is a view, and can't be loaded.", "Name a table.");
    }
    if (options.atomic() && target.modes().atomic() != null) {
      throw refusal(target, target.modes().atomic());
    }
    Mode mode = requested == null ? unrequested(described) : requested;
    TargetDescription.Refusal refusal = target.modes().refused().get(mode);
    if (refusal != null) {
      throw refusal(target, refusal);
    }
    if (mode == Mode.CREATE && target.state() == State.THERE) {
      throw new Fault.User(
          target.contents().name() + " exists already.",
          "Use --mode " + either(others(target)) + ", or name another.");
    }
    return mode;
  }

  private static Mode unrequested(DescribedTarget described) {
    TargetDescription target = described.description();
    return switch (target.state()) {
      case ABSENT, VIEW -> Mode.CREATE;
      case STREAM -> Mode.APPEND;
      case THERE -> {
        if (described.holdsRows()) {
          throw new Fault.User(
              target.contents().name() + " holds rows already.",
              "Say what to do with them: --mode "
                  + others(target).stream().map(WORDS::get).collect(Collectors.joining(", "))
                  + ".");
        }
        yield has(target, Mode.APPEND) ? Mode.APPEND : Mode.CREATE;
      }
    };
  }

  private static Fault.User refusal(TargetDescription target, TargetDescription.Refusal refusal) {
    return new Fault.User(target.label() + ": " + refusal.why() + ".", refusal.advice());
  }

  private static boolean has(TargetDescription target, Mode mode) {
    return !target.modes().refused().containsKey(mode);
  }

  private static List<Mode> others(TargetDescription target) {
    return Stream.of(Mode.APPEND, Mode.TRUNCATE, Mode.REPLACE, Mode.MERGE)
        .filter(mode -> has(target, mode))
        .toList();
  }

  private static String either(List<Mode> modes) {
    List<String> names = modes.stream().map(mode -> mode.name().toLowerCase(Locale.ROOT)).toList();
    return names.size() < 2
        ? String.join("", names)
        : String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
  }
}
