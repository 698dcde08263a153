package millrace.testkit.oracle.engine;

/// A user who may log on, or may not.
public record Account(String name, String password, State state) {

  /// What becomes of a log-on with the right password.
  public enum State {
    OPEN(0, ""),
    LOCKED(28000, "The account is locked."),
    EXPIRED(28001, "The account has expired."),
    /// It works for some more days, with a warning.
    GRACE(28002, "The account will expire soon; change password now."),
    NO_SESSION(1045, "lacks CREATE SESSION privilege; logon denied");

    private final int code;
    private final String text;

    State(int code, String text) {
      this.code = code;
      this.text = text;
    }

    public int code() {
      return code;
    }

    public String text() {
      return text;
    }
  }
}
