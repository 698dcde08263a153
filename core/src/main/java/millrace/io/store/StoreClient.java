package millrace.io.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.atomic.LongAdder;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import org.jspecify.annotations.Nullable;

/// Asks a store, and asks again if a request fails in a way that may pass. A range of a file whose
/// connection breaks is gone on with where it broke. What was asked is counted, since stores are
/// paid by requests. Any thread.
final class StoreClient {

  /// Within some seconds. Whoever asked may go on to ask, and says so while it waits.
  private static final int TRIES = 6;

  private static final long WAIT_MILLIS = 100;
  private static final long WAIT_MILLIS_MAX = 10_000;

  /// How often something was asked for.
  ///
  /// @param again requests that came to nothing, and were made once more
  /// @param bytes of files
  record Requests(
      LongAdder lists, LongAdder finds, LongAdder reads, LongAdder again, LongAdder bytes) {
    Requests() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  /// One request.
  @FunctionalInterface
  private interface Request<T extends @Nullable Object> {
    T make() throws IOException;
  }

  private final ObjectStore store;
  private final Requests requests = new Requests();

  StoreClient(ObjectStore store) {
    this.store = store;
  }

  Requests requests() {
    return requests;
  }

  /// Whether it can list its objects.
  boolean lists() {
    return store.lists();
  }

  ObjectStore.Listing list(String folder) throws IOException {
    return answer(requests.lists, () -> store.list(folder));
  }

  @Nullable StoredObject find(String key) throws IOException {
    return answer(requests.finds, () -> store.find(key));
  }

  void delete(String key) throws IOException {
    store.delete(key);
  }

  /// A file that can be read only from its beginning, to its end.
  InputStream whole(StoredObject file) throws IOException {
    return answer(requests.reads, () -> store.read(file, 0, file.size()));
  }

  private <T extends @Nullable Object> T answer(LongAdder count, Request<T> request)
      throws IOException {
    for (int tries = 1; ; tries++) {
      count.increment();
      try {
        return request.make();
      } catch (IOException e) {
        rest(e, tries);
      }
    }
  }

  /// Reads exactly so many bytes of a file.
  ///
  /// @param bytes gets them, from its beginning
  /// @throws IOException if the store can't give them, after some tries
  void range(StoredObject file, long from, byte[] bytes, int length) throws IOException {
    int filled = 0;
    for (int tries = 1; ; tries++) {
      int before = filled;
      requests.reads.increment();
      try (InputStream in = store.read(file, from + filled, from + length)) {
        for (int count = 0; count >= 0 && filled < length; filled += Math.max(0, count)) {
          count = in.read(bytes, filled, length - filled);
        }
        if (filled < length) {
          throw new IOException("the answer ends in the middle");
        }
        requests.bytes.add(length);
        return;
      } catch (IOException e) {
        // One that brings bytes each time may take its time.
        tries = filled > before ? 1 : tries;
        rest(e, tries);
      }
    }
  }

  /// Waits before a request is made once more.
  ///
  /// @throws IOException what went wrong with it, if that is of no use
  private void rest(IOException fault, int tries) throws IOException {
    if (!mayPass(fault) || tries == TRIES) {
      throw fault;
    }
    requests.again.increment();
    try {
      Thread.sleep(Math.min(WAIT_MILLIS_MAX, WAIT_MILLIS << tries));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private static boolean mayPass(IOException fault) {
    return switch (fault) {
      case StoreException told -> told.isTransient();
      case FileSystemException _, InterruptedIOException _ -> false;
      default -> true;
    };
  }
}
