package millrace.testkit.oracle.dictionary;

/// What a session waits for within a call, as V$SESSION shows it.
///
/// @param event empty if it waits for nothing
/// @param blocker the session that it waits for; 0 for none
public record SessionWait(String event, String waitClass, long blocker) {

  public static final SessionWait NONE = new SessionWait("", "", 0);
}
