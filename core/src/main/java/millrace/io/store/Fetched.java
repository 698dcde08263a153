package millrace.io.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import org.jspecify.annotations.Nullable;

/// Asks a store again if a request fails in a way that may pass. A range of a file whose connection
/// breaks is gone on with where it broke.
final class Fetched {

  private static final int TRIES = 8;
  private static final long WAIT_MILLIS = 100;
  private static final long WAIT_MILLIS_MAX = 10_000;

  private Fetched() {}

  /// What is asked of a store.
  @FunctionalInterface
  interface Request<T extends @Nullable Object> {
    T ask() throws IOException;
  }

  /// What a store answers.
  ///
  /// @throws IOException if it does not, after some tries
  static <T extends @Nullable Object> T answer(Request<T> request) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return request.ask();
      } catch (IOException e) {
        if (!mayPass(e) || tries == TRIES) {
          throw e;
        }
        rest(tries);
      }
    }
  }

  /// Exactly those bytes of a file.
  ///
  /// @throws IOException if the store can't give them, after some tries
  static byte[] range(ObjectStore store, StoredObject file, long from, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    int filled = 0;
    for (int tries = 1; ; tries++) {
      int before = filled;
      try (InputStream in = store.read(file, from + filled, from + length)) {
        for (int count = 0; count >= 0 && filled < length; filled += Math.max(0, count)) {
          count = in.read(bytes, filled, length - filled);
        }
        if (filled == length) {
          return bytes;
        }
        throw new IOException("the answer ends in the middle");
      } catch (IOException e) {
        // One that brings bytes each time may take its time.
        tries = filled > before ? 1 : tries;
        if (!mayPass(e) || tries == TRIES) {
          throw e;
        }
        rest(tries);
      }
    }
  }

  private static boolean mayPass(IOException fault) {
    return switch (fault) {
      case StoreException told -> told.isTransient();
      case FileSystemException _, InterruptedIOException _ -> false;
      default -> true;
    };
  }

  private static void rest(int tries) throws InterruptedIOException {
    try {
      Thread.sleep(Math.min(WAIT_MILLIS_MAX, WAIT_MILLIS << tries));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }
}
