package millrace.spi;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A password on its way to a driver. Never printed: its text form says nothing. It is serialized
/// as it stands, for another JVM that does the same work: never to a place where it stays.
public final class Secret implements Serializable {

  private static final long serialVersionUID = 1L;

  /// No password was given here.
  public static final Secret NONE = new Secret(null);

  private final @Nullable String value;

  private Secret(@Nullable String value) {
    this.value = value;
  }

  /// Wraps a password.
  public static Secret of(String value) {
    return new Secret(value);
  }

  /// The password, to hand to a driver at once, or null if none was given.
  public @Nullable String reveal() {
    return value;
  }

  private Object readResolve() {
    return value == null ? NONE : this;
  }

  @Override
  public String toString() {
    return value == null ? "none" : "***";
  }
}
