package millrace.spi.store;

import java.nio.file.FileSystemException;

/// What a store said when it could not do what it was asked for.
///
/// Its reason is the end of a sentence, without a key that signs requests.
public final class StoreException extends FileSystemException {

  private static final long serialVersionUID = 1;

  private final String advice;
  private final boolean isTransient;

  /// @param location of the object, as a user would name it
  /// @param isTransient whether the same may go well later
  public StoreException(String location, String reason, boolean isTransient) {
    this(location, reason, "", isTransient);
  }

  /// @param advice what the user can do about it
  public StoreException(String location, String reason, String advice, boolean isTransient) {
    super(location, null, reason);
    this.advice = advice;
    this.isTransient = isTransient;
  }

  /// What the user can do about it; empty if that is not known.
  public String advice() {
    return advice;
  }

  /// Whether the same may go well later.
  public boolean isTransient() {
    return isTransient;
  }
}
