package millrace.testkit.oracle.wire;

import java.io.IOException;

/// The client has left, or its session was ended from outside: there is nobody to answer.
public final class ClientGoneException extends IOException {
  public ClientGoneException(String message) {
    super(message);
  }
}
