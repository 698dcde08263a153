package millrace.io.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// Asks a store, and asks again if a request fails in a way that may pass. A range of a file whose
/// connection breaks is gone on with where it broke. What was asked is counted, since stores are
/// paid by requests. Any thread.
final class StoreClient {

  /// Within some seconds. Whoever asked may go on to ask, and says so while it waits.
  private static final int TRIES = 6;

  /// Of a request that the store turns away: in less than a minute others may have what they want.
  private static final int TRIES_LIMITED = 10;

  private static final long WAIT_MILLIS = 100;
  private static final long WAIT_MILLIS_MAX = 10_000;

  /// How often something was asked for.
  ///
  /// @param writes of files, of parts of them, and what begins and ends those
  /// @param again requests that came to nothing, and were made once more
  /// @param bytes of files that were read
  /// @param bytesWritten the same of those that were written
  record Requests(
      LongAdder lists,
      LongAdder finds,
      LongAdder reads,
      LongAdder writes,
      LongAdder again,
      LongAdder bytes,
      LongAdder bytesWritten) {
    Requests() {
      this(
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder(),
          new LongAdder());
    }
  }

  /// One request.
  @FunctionalInterface
  private interface Request<T extends @Nullable Object> {
    T make() throws IOException;
  }

  private final ObjectStore store;
  private final Requests requests = new Requests();
  private final StoreWaits waits = new StoreWaits();

  StoreClient(ObjectStore store) {
    this.store = store;
  }

  Requests requests() {
    return requests;
  }

  StoreWaits waits() {
    return waits;
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

  /// Stores count no requests that remove something.
  void delete(String key) throws IOException {
    answer(
        new LongAdder(),
        () -> {
          store.delete(key);
          return true;
        });
  }

  /// Writes a small file at once; see {@link ObjectStore#put}.
  StoredObject put(String key, byte[] bytes, @Nullable String expected) throws IOException {
    StoredObject written = answer(requests.writes, () -> store.put(key, bytes, expected));
    requests.bytesWritten.add(bytes.length);
    return written;
  }

  Upload upload(String key) throws IOException {
    return answer(requests.writes, () -> store.upload(key));
  }

  /// Uploads of all keys that begin so.
  List<Upload> uploadsBelow(String prefix) throws IOException {
    return answer(requests.lists, () -> store.uploads(prefix));
  }

  List<Upload.Part> parts(Upload upload) throws IOException {
    return answer(requests.lists, upload::parts);
  }

  Upload.Part put(Upload upload, int number, byte[] bytes, int length) throws IOException {
    Upload.Part part = answer(requests.writes, () -> upload.put(number, bytes, length));
    requests.bytesWritten.add(length);
    return part;
  }

  /// The file of those parts. If the answer to a try was lost, a later one finds the file there.
  StoredObject complete(Upload upload, List<Upload.Part> parts, @Nullable String expected)
      throws IOException {
    boolean[] isRepeated = {false};
    return answer(
        requests.writes,
        () -> {
          try {
            return upload.complete(parts, expected);
          } catch (FileAlreadyExistsException | NoSuchFileException e) {
            StoredObject there = isRepeated[0] ? store.find(upload.key()) : null;
            if (there == null
                || there.size() != bytes(parts)
                || store.uploads(upload.key()).stream()
                    .anyMatch(each -> each.id().equals(upload.id()))) {
              throw e;
            }
            return there;
          } finally {
            isRepeated[0] = true;
          }
        });
  }

  static long bytes(List<Upload.Part> parts) {
    return parts.stream().mapToLong(Upload.Part::bytes).sum();
  }

  void abort(Upload upload) throws IOException {
    answer(
        new LongAdder(),
        () -> {
          upload.abort();
          return true;
        });
  }

  /// A file that can be read only from its beginning, to its end.
  InputStream whole(StoredObject file) throws IOException {
    return waits.single(
        answer(requests.reads, () -> store.read(file, 0, file.size())), requests.bytes);
  }

  private <T extends @Nullable Object> T answer(LongAdder count, Request<T> request)
      throws IOException {
    boolean writes = count.equals(requests.writes);
    waits.write(writes ? 1 : 0);
    try {
      for (int tries = 1; ; tries++) {
        count.increment();
        try {
          T answer = request.make();
          waits.answer();
          return answer;
        } catch (IOException e) {
          long rested = rest(e, tries);
          waits.limitWrites(writes ? rested : 0);
        }
      }
    } finally {
      waits.write(writes ? -1 : 0);
    }
  }

  /// Reads exactly so many bytes of a file.
  ///
  /// @param bytes gets them, from its beginning
  /// @return for how many nanoseconds they were not asked for, since the store had turned the
  ///   request away
  /// @throws IOException if the store can't give them, after some tries
  long range(StoredObject file, long from, byte[] bytes, int length) throws IOException {
    int filled = 0;
    long rested = 0;
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
        waits.answer();
        return rested;
      } catch (IOException e) {
        // One that brings bytes each time may take its time.
        tries = filled > before ? 1 : tries;
        rested += rest(e, tries);
      }
    }
  }

  /// Waits before a request is made once more.
  ///
  /// @return for how many nanoseconds, if the store has turned it away, else 0
  /// @throws IOException what went wrong with it, if that is of no use
  private long rest(IOException fault, int tries) throws IOException {
    boolean isLimited = fault instanceof StoreException told && told.isTurnedAway();
    if (isLimited) {
      waits.turnAway();
    }
    if (!mayPass(fault) || tries >= (isLimited ? TRIES_LIMITED : TRIES)) {
      throw fault;
    }
    requests.again.increment();
    long millis = Math.min(WAIT_MILLIS_MAX, WAIT_MILLIS << tries);
    if (isLimited) {
      // Those that were turned away together would come back together.
      millis = ThreadLocalRandom.current().nextLong(millis / 2, millis + 1);
    }
    long begun = System.nanoTime();
    try {
      Thread.sleep(millis);
      return isLimited ? System.nanoTime() - begun : 0;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /// That a thread was interrupted, which its owner still has to see.
  static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException("interrupted");
    interrupted.initCause(cause);
    return interrupted;
  }

  private static boolean mayPass(IOException fault) {
    return switch (fault) {
      case StoreException told -> told.isTransient();
      case FileSystemException _, InterruptedIOException _ -> false;
      default -> true;
    };
  }
}
