package millrace.spi.store;

import java.nio.file.FileSystemException;

/// What a store said when it could not do what it was asked for.
///
/// Its reason is the end of a sentence, without a key that signs requests.
public final class StoreException extends FileSystemException {

  private static final long serialVersionUID = 1;

  private final String advice;
  private final boolean isTransient;
  private final boolean isTurnedAway;

  /// @param location of the object, as a user would name it
  /// @param isTransient whether the same may go well later
  public StoreException(String location, String reason, boolean isTransient) {
    this(location, reason, "", isTransient);
  }

  /// @param advice what the user can do about it
  public StoreException(String location, String reason, String advice, boolean isTransient) {
    this(location, reason, advice, isTransient, false);
  }

  private StoreException(
      String location, String reason, String advice, boolean isTransient, boolean isTurnedAway) {
    super(location, null, reason);
    this.advice = advice;
    this.isTransient = isTransient;
    this.isTurnedAway = isTurnedAway;
  }

  /// Of a request that the store did not serve, since it limits how many it does.
  ///
  /// @param location and reason as for the others
  public static StoreException turnedAway(String location, String reason) {
    return new StoreException(location, reason, "", true, true);
  }

  /// What the user can do about it; empty if that is not known.
  public String advice() {
    return advice;
  }

  /// Whether the same may go well later.
  public boolean isTransient() {
    return isTransient;
  }

  /// Whether the store limits how many requests it serves, and this was one too many.
  public boolean isTurnedAway() {
    return isTurnedAway;
  }
}
