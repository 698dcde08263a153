package millrace.testkit.oracle.wire;

/// A break marker stands between the bytes of a call, or before the next one.
public final class BreakException extends Exception {
  BreakException() {
    super("break");
  }
}
