package millrace.fault;

import org.jspecify.annotations.Nullable;

/// Something went wrong, sorted by who can do something about it.
///
/// Connectors classify what their driver throws into one of these; the engine passes them on
/// untouched; only the command line turns them into words and an exit code. The message says what
/// was wrong and where; the advice says what to do. Neither ever holds a password.
public abstract sealed class Fault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String advice;

  Fault(String message, String advice, @Nullable Throwable cause) {
    super(message, cause);
    this.advice = advice;
  }

  /// Anything thrown, as a fault: what is none is a bug, or the machine's fault.
  public static Fault of(Throwable thrown) {
    return switch (thrown) {
      case Fault fault -> fault;
      case OutOfMemoryError e -> HeapTrouble.of(e, "", "");
      default -> new Bug("Unexpected: " + thrown, thrown);
    };
  }

  /// What the user can do about it; empty if the message says it all.
  public String advice() {
    return advice;
  }

  /// The message as a part of a sentence: without its full stop.
  public String clause() {
    return String.valueOf(getMessage()).replaceAll("\\.$", "");
  }

  /// The same without its cause, for another process, which may not know the cause's class.
  public Fault withoutCause() {
    return inOtherWords(String.valueOf(getMessage()), advice);
  }

  /// The same in other words, and without its cause.
  public Fault inOtherWords(String message, String advice) {
    Fault alone =
        switch (this) {
          case User _ -> new User(message, advice);
          case Data data -> new Data(message, advice, data.location);
          case Transient passing ->
              new Transient(
                  message,
                  advice,
                  passing.retryAfterMillis,
                  passing.reach,
                  passing.triedNanos,
                  null);
          case External _ -> new External(message, advice, null);
          case Cancelled _ -> new Cancelled(message);
          case Bug _ -> new Bug(message, null);
        };
    alone.setStackTrace(getStackTrace());
    return alone;
  }

  /// The request can't be carried out as it stands: a missing file, a wrong option, types that do
  /// not fit. The user changes the request.
  public static final class User extends Fault {
    private static final long serialVersionUID = 1L;

    public User(String message, String advice) {
      super(message, advice, null);
    }

    public User(String message, String advice, Throwable cause) {
      super(message, advice, cause);
    }
  }

  /// A record is bad: it can't be read, or the target refuses it. The user mends the data or lets
  /// bad records be set aside.
  public static final class Data extends Fault {
    private static final long serialVersionUID = 1L;
    private final @Nullable Location location;

    public Data(String message, String advice, @Nullable Location location) {
      super(message, advice, null);
      this.location = location;
    }

    /// The batch or record at fault, or null if the system that found it did not say.
    public @Nullable Location location() {
      return location;
    }
  }

  /// It may work when tried again: a lost connection, a deadlock, a busy server.
  public static final class Transient extends Fault {
    private static final long serialVersionUID = 1L;
    private final long retryAfterMillis;
    private final Reach reach;
    private final long triedNanos;

    /// What it is about.
    private enum Reach {
      /// The server, which can't be reached.
      SERVER,
      /// What was asked of it.
      PART,
      /// What all lanes share.
      RUN
    }

    public Transient(
        String message, String advice, long retryAfterMillis, @Nullable Throwable cause) {
      this(message, advice, retryAfterMillis, Reach.PART, 0, cause);
    }

    private Transient(
        String message,
        String advice,
        long retryAfterMillis,
        Reach reach,
        long triedNanos,
        @Nullable Throwable cause) {
      super(message, advice, cause);
      this.retryAfterMillis = retryAfterMillis;
      this.reach = reach;
      this.triedNanos = triedNanos;
    }

    /// One that no lane can get over by itself, because what all lanes share is lost: a snapshot, a
    /// transaction. Another run may work.
    public static Transient endingRun(String message, String advice, @Nullable Throwable cause) {
      return new Transient(message, advice, 0, Reach.RUN, 0, cause);
    }

    /// A server that can't be reached, whatever was to be asked of it.
    public static Transient unreachable(String message, String advice, @Nullable Throwable cause) {
      return new Transient(message, advice, 0, Reach.SERVER, 0, cause);
    }

    /// The same, of a system whose driver has tried again by itself for some time before it gave
    /// up.
    public Transient triedFor(long nanos) {
      return new Transient(
          String.valueOf(getMessage()), advice(), retryAfterMillis, reach, nanos, getCause());
    }

    /// For how long it has been tried again already, in nanoseconds; 0 if it has not.
    public long triedNanos() {
      return triedNanos;
    }

    /// The shortest wait before another try makes sense, in milliseconds; 0 if nobody said.
    public long retryAfterMillis() {
      return retryAfterMillis;
    }

    /// Whether only another run can work, and no further try within this one.
    public boolean endsRun() {
      return reach == Reach.RUN;
    }

    /// Whether the server was not even reached: that tells nothing of what it would have been
    /// asked.
    public boolean isUnreachable() {
      return reach == Reach.SERVER;
    }
  }

  /// The world outside refused for good: a full disk, a missing permission, a dead server.
  public static final class External extends Fault {
    private static final long serialVersionUID = 1L;

    public External(String message, String advice, @Nullable Throwable cause) {
      super(message, advice, cause);
    }
  }

  /// The run was asked to stop (Ctrl-C, or another lane failed first).
  public static final class Cancelled extends Fault {
    private static final long serialVersionUID = 1L;

    public Cancelled(String message) {
      super(message, "", null);
    }
  }

  /// Millrace itself is wrong.
  public static final class Bug extends Fault {
    private static final long serialVersionUID = 1L;

    public Bug(String message, @Nullable Throwable cause) {
      super(message, "Please report it with the output of `millrace --version`.", cause);
    }
  }
}
