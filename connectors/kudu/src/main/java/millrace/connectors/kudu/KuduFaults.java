package millrace.connectors.kudu;

import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.Shortened;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.Status;
import org.jspecify.annotations.Nullable;

/// Who can do something about what the client throws or says of a row.
///
/// The client tries again by itself what may pass, until the timeout of the operation; what it
/// throws has outlived that.
public final class KuduFaults {

  /// What the client adds for those who look into it.
  private static final Pattern TAIL =
      Pattern.compile(
          "[:,]? (Batch\\{|rpc=KuduRpc\\(|KuduRpc\\(|Traces:|Trace Summary).*", Pattern.DOTALL);

  private static final Pattern FORGOTTEN_SCANNER =
      Pattern.compile("Scanner \\S+ not found", Pattern.CASE_INSENSITIVE);

  private KuduFaults() {}

  /// A call has failed.
  ///
  /// @param label the table
  public static Fault of(KuduException e, String label) {
    return of(e.getStatus(), label, e);
  }

  /// What the status of a call or of a row means.
  ///
  /// @param cause what was thrown; null if it is what was said of a row
  public static Fault of(Status status, String label, @Nullable Throwable cause) {
    String message = label + ": " + sentence(status);
    if (status.isTimedOut()
        || status.isNetworkError()
        || status.isServiceUnavailable()
        || status.isIncomplete()
        || status.isIllegalState()
        || status.isIOError()
        || status.isRemoteError()
        || isForgottenScanner(status)) {
      String unreachable =
          "Are the masters and tablet servers up, and can they be reached from here?";
      return isUnreachable(status)
          ? Fault.Transient.unreachable(message, unreachable, cause)
          : new Fault.Transient(message, unreachable, 0, cause);
    }
    if (status.isNotAuthorized()) {
      return new Fault.User(
          message,
          "Log in with kinit, or set KUDU_JWT; ask for the right on the table.",
          asCause(cause));
    }
    if (status.isNotFound() || status.isInvalidArgument() || status.isAlreadyPresent()) {
      return new Fault.User(message, "", asCause(cause));
    }
    if (status.isAborted()) {
      return new Fault.Transient(message, "", 0, cause);
    }
    return new Fault.External(message, "The log of the tablet server says more.", cause);
  }

  /// The same fault of a call for which the client has tried for some time.
  public static Fault tried(Fault fault, long nanos) {
    return fault instanceof Fault.Transient passing ? passing.triedFor(nanos) : fault;
  }

  /// A tablet server that was started again knows nothing of what was read before.
  private static boolean isForgottenScanner(Status status) {
    return status.isNotFound() && FORGOTTEN_SCANNER.matcher(status.toString()).find();
  }

  private static Throwable asCause(@Nullable Throwable cause) {
    return cause == null ? new IllegalStateException("the server said so of a row") : cause;
  }

  private static boolean isUnreachable(Status status) {
    String text = status.toString();
    return text.contains("Connection refused")
        || text.contains("Couldn't find a valid master")
        || text.contains("cannot find a leader master")
        || text.contains("UnresolvedAddress");
  }

  /// What the status says, without its long tail.
  static String sentence(Status status) {
    String cut = TAIL.matcher(status.toString()).replaceFirst("");
    String shown = Shortened.value(cut, 400);
    return shown.endsWith(".") ? shown : shown + ".";
  }
}
