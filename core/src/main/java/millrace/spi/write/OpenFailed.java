package millrace.spi.write;

import java.util.function.Supplier;

/// A target could not be made ready, and this is what stays of the attempt. The engine reports the
/// cause in its place.
public final class OpenFailed extends RuntimeException {

  private final RuntimeException failure;
  private final transient Aborted aborted;

  private OpenFailed(RuntimeException failure, Aborted aborted) {
    super(failure.getMessage(), failure);
    this.failure = failure;
    this.aborted = aborted;
  }

  /// Makes a session ready, and aborts it if that fails.
  ///
  /// @param keep whether what an earlier run has left is to stay
  /// @param session is closed then
  public static <S extends WriteSession> S undoing(S session, boolean keep, Runnable prepare) {
    try {
      prepare.run();
      return session;
    } catch (RuntimeException e) {
      try (session) {
        throw new OpenFailed(e, aborted(() -> session.abort(keep), e));
      }
    } catch (Error e) {
      try (session) {
        session.abort(keep);
      }
      throw e;
    }
  }

  private static Aborted aborted(Supplier<Aborted> abort, RuntimeException cause) {
    try {
      return abort.get();
    } catch (RuntimeException e) {
      if (!e.equals(cause)) {
        cause.addSuppressed(e);
      }
      return Aborted.CLEAN.failing(e);
    }
  }

  /// What went wrong.
  public RuntimeException failure() {
    return failure;
  }

  /// What stays of the attempt.
  public Aborted aborted() {
    return aborted;
  }
}
