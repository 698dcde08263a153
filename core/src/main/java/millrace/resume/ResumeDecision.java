package millrace.resume;

import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;

/// What a run makes of an earlier one of the same copy.
sealed interface ResumeDecision {

  /// The run begins from the start.
  record Begin() implements ResumeDecision {}

  /// The run goes on where that one was cut off.
  record Resume(JournaledRun from) implements ResumeDecision {}

  /// That one was complete, and both ends are as it left them.
  record NothingToDo(JournaledRun complete) implements ResumeDecision {}

  /// The user has to choose.
  record Refuse(Fault.User why) implements ResumeDecision {}
}
