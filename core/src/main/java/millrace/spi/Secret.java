package millrace.spi;

import org.jspecify.annotations.Nullable;

/// A password on its way to a driver. Never printed: its text form says nothing.
public final class Secret {

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

  /// The password, to hand to a driver at once, or null where none was given.
  public @Nullable String reveal() {
    return value;
  }

  @Override
  public String toString() {
    return value == null ? "none" : "***";
  }
}
