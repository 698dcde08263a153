package millrace.spi.write;

import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.SourceDescription.Size;
import org.jspecify.annotations.Nullable;

/// How a run begins to write.
///
/// @param lanes most writers at once; with one, rows arrive in source order
/// @param setsAside whether bad records may be set aside, so that {@link StagedRowValidator} is
///   asked once all rows are there
/// @param size how much the source has, as far as that is known
/// @param journal what is kept of the run
public record WriteStart(int lanes, boolean setsAside, Size size, Journal journal) {

  /// What the target keeps of the run, so that another can go on with it.
  public sealed interface Journal {

    /// Nothing.
    record None() implements Journal {}

    /// The run begins from the start, and is written down.
    ///
    /// @param before the run of the same job that it takes the place of, with all that is staged of
    ///   it; or null
    record Begin(RunRecord run, @Nullable JournaledRun before) implements Journal {}

    /// The run goes on with that one.
    record Resume(JournaledRun from) implements Journal {}

    /// Another process has begun that run, and will end it: see {@link JoinedSession}.
    record Join(JournaledRun run) implements Journal {}
  }

  /// A run that leaves nothing to go on with, of a source of unknown size.
  public static WriteStart of(int lanes) {
    return new WriteStart(lanes, false, new Size(-1, -1, false), new Journal.None());
  }

  /// The run that receipts and marks are kept for; null if none are.
  public @Nullable RunRecord run() {
    return switch (journal) {
      case Journal.None() -> null;
      case Journal.Begin(RunRecord run, JournaledRun _) -> run;
      case Journal.Resume(JournaledRun from) -> from.run();
      case Journal.Join(JournaledRun joined) -> joined.run();
    };
  }

  /// The run that this one goes on with, or joins; null if it begins from the start.
  public @Nullable JournaledRun resumed() {
    return switch (journal) {
      case Journal.Resume(JournaledRun from) -> from;
      case Journal.Join(JournaledRun joined) -> joined;
      case Journal.None _, Journal.Begin _ -> null;
    };
  }

  /// The run of the same job that this one takes the place of; null if there is none.
  public @Nullable JournaledRun before() {
    return journal instanceof Journal.Begin(RunRecord _, JournaledRun before) ? before : null;
  }
}
