package millrace.plan;

import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.fault.Shortened;

/// What a fault says, as it may be shown and kept: without passwords, and without values that are
/// too long to be read.
public final class FaultMessage {

  private FaultMessage() {}

  /// What was wrong.
  public static String of(Fault fault) {
    return shown(String.valueOf(fault.getMessage()));
  }

  /// What to do about it; empty if the message says it all.
  public static String advice(Fault fault) {
    return shown(fault.advice());
  }

  private static String shown(String text) {
    return Shortened.message(Endpoints.redact(text));
  }
}
