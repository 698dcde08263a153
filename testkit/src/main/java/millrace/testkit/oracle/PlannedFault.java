package millrace.testkit.oracle;

import java.time.Duration;

/// A fault that is to happen once.
///
/// @param call at which call
/// @param text what its SQL or the name of its table has in it; empty for any
/// @param skip how many such calls go well before
/// @param effect what happens
public record PlannedFault(ServerCall call, String text, int skip, Effect effect) {

  /// What happens to a call.
  public sealed interface Effect {

    /// It is refused with an error, and not carried out.
    record Fail(int code, String text) implements Effect {}

    /// The connection is reset instead of it.
    record ResetBefore() implements Effect {}

    /// It is carried out, and the connection is reset instead of the answer.
    record ResetAfter() implements Effect {}

    /// It begins later.
    record Delay(Duration time) implements Effect {}
  }
}
