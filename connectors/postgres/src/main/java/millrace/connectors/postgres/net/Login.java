package millrace.connectors.postgres.net;

import java.io.Console;
import millrace.fault.Fault;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;

/// The password of all that connect alike. Any thread.
final class Login {

  private final String warning;
  private volatile Secret secret;
  private boolean requested;

  /// @param secret what is known before anybody is asked
  /// @param warning why nothing was found; may be empty
  Login(Secret secret, String warning) {
    this.secret = secret;
    this.warning = warning;
  }

  Secret secret() {
    return secret;
  }

  /// There is none if the JDK lacks its terminal module.
  @SuppressWarnings("SystemConsoleNull")
  private static @Nullable Console console() {
    return System.console();
  }

  /// Asks for the password; false if one is known.
  synchronized boolean asksNow(Address address) {
    if (secret.reveal() != null) {
      return false;
    }
    Console console = console();
    if (requested || console == null || !console.isTerminal()) {
      String more = warning.isEmpty() ? "" : " " + warning;
      throw new Fault.User(
          address.server()
              + " asks for the password of user "
              + address.user()
              + ", and none was found."
              + more,
          "Set PGPASSWORD, or put a line into ~/.pgpass.");
    }
    requested = true;
    char[] typed =
        console.readPassword("Password for user %s at %s: ", address.user(), address.server());
    secret = typed == null ? Secret.NONE : Secret.of(new String(typed));
    return true;
  }
}
