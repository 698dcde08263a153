package millrace.io.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import millrace.spi.store.StoreException;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// Writes a file of a store in parts, of which some are on their way while the next is filled.
///
/// Where rows end that are to stay is {@linkplain #mark marked}. A part ends there if it is long
/// enough for one, so that another process can go on behind it; and one that is full leaves as much
/// for the next as a part must have.
///
/// One thread writes; any may ask what stays.
public final class StoreWriter {

  static final int PART_BYTES_MAX = 1 << 30;
  private static final int BUFFER_BYTES = 1 << 20;

  /// A part that the store has, or will have.
  private static final class Sent {
    private final int number;
    private final long start;
    private final long end;

    /// What it holds, as long as it may have to be sent once more.
    private volatile byte @Nullable [] bytes;

    private volatile CompletableFuture<Upload.Part> part;

    /// One that the store has.
    Sent(long start, Upload.Part part) {
      number = part.number();
      this.start = start;
      end = start + part.bytes();
      this.part = CompletableFuture.completedFuture(part);
    }

    Sent(StoreUpload upload, int number, long start, byte[] bytes, int length) throws IOException {
      this.number = number;
      this.start = start;
      end = start + length;
      this.bytes = bytes;
      part = send(upload, bytes);
    }

    private CompletableFuture<Upload.Part> send(StoreUpload upload, byte[] content)
        throws IOException {
      return upload
          .put(number, content, (int) (end - start))
          .whenComplete((done, _) -> {
            if (done != null) {
              bytes = null;
              upload.letGo(content);
            }
          });
    }

    boolean isThere() {
      return part.isDone() && !part.isCompletedExceptionally();
    }

    /// Sends it once more, if it did not come.
    void mend(StoreUpload upload) throws IOException {
      byte[] content = bytes;
      if (part.isCompletedExceptionally() && content != null) {
        part = send(upload, content);
      }
    }

    /// Waits until it is there or has failed.
    void settle() {
      part.handle((_, _) -> true).join();
    }

    Upload.Part await() throws IOException {
      try {
        return part.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof IOException cause) {
          throw cause;
        }
        throw e;
      }
    }
  }

  private final String name;
  private final StoreUpload upload;
  private final List<Sent> sent = new ArrayList<>();

  /// What is in no part yet.
  private byte[] buffer = new byte[0];

  private int filled;

  /// Where in the file the buffer begins.
  private long start;

  private long marked;

  /// What stands between the last part before the mark and the mark, once that is in a part.
  private byte @Nullable [] tail;

  /// How many parts the store has for sure, from the first.
  private int acknowledged;

  private StoreWriter(StorePath path, StoreUpload upload) {
    name = path.toString();
    this.upload = upload;
  }

  /// Begins a file.
  ///
  /// @throws IOException if the store takes none
  public static StoreWriter begin(StorePath path) throws IOException {
    return new StoreWriter(path, path.upload());
  }

  /// Goes on with what another process has written.
  ///
  /// @param length of what stays of that
  /// @return null if the store does not have it, or no part ends there
  /// @throws IOException if the store can't tell
  public static @Nullable StoreWriter resume(StorePath path, String id, long length)
      throws IOException {
    StoreUpload upload = path.upload(id);
    List<Upload.Part> parts = upload == null ? null : StoreUpload.first(upload.parts(), length);
    if (upload == null || parts == null) {
      return null;
    }
    StoreWriter writer = new StoreWriter(path, upload);
    for (Upload.Part part : parts) {
      writer.sent.add(new Sent(writer.start, part));
      writer.start += part.bytes();
    }
    writer.mark();
    return writer;
  }

  /// By what another process finds it again.
  public String id() {
    return upload.id();
  }

  /// How much has been written.
  public synchronized long length() {
    return start + filled;
  }

  /// Adds bytes to the end.
  ///
  /// @throws IOException if the store did not take a part that is on its way
  public synchronized void write(byte[] bytes, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int part = partBytes();
      int capacity = part + shortest(part);
      int more = Math.min(length - done, capacity - filled);
      if (filled + more > buffer.length) {
        grow(filled + more, capacity);
      }
      System.arraycopy(bytes, done, buffer, filled, more);
      filled += more;
      done += more;
      if (filled == capacity) {
        send(part);
      }
    }
  }

  /// The array of a small file is small.
  private void grow(int wanted, int capacity) {
    boolean isSmall = wanted <= BUFFER_BYTES && BUFFER_BYTES < capacity;
    byte[] larger = isSmall ? new byte[BUFFER_BYTES] : upload.array(capacity);
    System.arraycopy(buffer, 0, larger, 0, filled);
    buffer = larger;
  }

  private int partBytes() {
    return partBytes(upload.partBytes(), sent.size(), upload.partsMax());
  }

  /// Parts grow, so that as many as there may be make a file of some terabytes: by steps, since
  /// arrays of one length go round.
  ///
  /// @param first how long the first is
  /// @param before how many there are already
  private static int partBytes(int first, long before, int partsMax) {
    long tenths = 10 * before / partsMax;
    return (int) Math.min(PART_BYTES_MAX, first * (1 + tenths * tenths));
  }

  /// How many parts a file of a length has, if there may be so many.
  static long parts(long bytes, int first, int partsMax) {
    long parts = 0;
    for (long left = bytes; left > 0; parts++) {
      left -= partBytes(first, parts, partsMax);
    }
    return parts;
  }

  /// How short a part may be, so that there are not too many.
  private int shortest(int part) {
    return (int) Math.max(upload.partBytesMin(), part / 2);
  }

  private void send(int length) throws IOException {
    if (sent.size() == upload.partsMax()) {
      throw new StoreException(
          name,
          "a file there has at most " + upload.partsMax() + " parts",
          "Write several files, each of a size: files=100GB behind a question mark.",
          false);
    }
    if (!takesMore()) {
      throw new StoreException(
          name, "nothing can follow its last part", "Begin again with --fresh.", false);
    }
    checkSent();
    long end = start + length;
    if (marked > start && marked < end) {
      tail = Arrays.copyOf(buffer, (int) (marked - start));
    }
    int left = filled - length;
    byte[] rest = new byte[0];
    if (left > 0) {
      rest = upload.array(buffer.length);
      System.arraycopy(buffer, length, rest, 0, left);
    }
    sent.add(new Sent(upload, sent.size() + 1, start, buffer, length));
    buffer = rest;
    filled = left;
    start = end;
  }

  /// @throws IOException why the store did not take a part
  private void checkSent() throws IOException {
    for (Sent each : sent.subList(acknowledged, sent.size())) {
      if (each.part.isCompletedExceptionally()) {
        each.await();
      }
    }
  }

  /// Whether something can follow: not behind a part that is too short to be but the last.
  public synchronized boolean takesMore() {
    return sent.isEmpty() || sent.getLast().end - sent.getLast().start >= upload.partBytesMin();
  }

  /// What has been written so far stays, whatever is taken back from now on.
  ///
  /// @throws IOException as for {@link #write}; what was marked before is what stays then
  public synchronized void mark() throws IOException {
    int part = partBytes();
    boolean isRare = length() - marked >= part;
    // If the next mark comes soon, the part may as well be full.
    if (filled >= part || (isRare && filled >= shortest(part))) {
      send(filled);
    }
    marked = length();
    tail = null;
  }

  /// Takes back what was written behind that length, which is the last mark.
  ///
  /// @throws IOException if the store has lost the parts before it
  public synchronized void cutTo(long length) throws IOException {
    if (length >= start) {
      filled = (int) (length - start);
    } else {
      cutParts(length);
    }
    mend();
  }

  /// A part that did not come is sent once more.
  private void mend() throws IOException {
    for (Sent each : sent.subList(acknowledged, sent.size())) {
      each.mend(upload);
    }
  }

  private void cutParts(long length) {
    int retained = sent.size();
    while (retained > 0 && sent.get(retained - 1).end > length) {
      retained--;
    }
    List<Sent> dropped = sent.subList(retained, sent.size());
    long from = dropped.getFirst().start;
    byte[] rest = from == length ? new byte[0] : tail;
    if (rest == null || rest.length != length - from) {
      throw new IllegalStateException(name + " was never marked at " + length);
    }
    // One that is late must not take the place of the next of its number.
    dropped.forEach(Sent::settle);
    dropped.clear();
    acknowledged = Math.min(acknowledged, retained);
    start = from;
    buffer = rest.clone();
    filled = rest.length;
  }

  /// Waits for the parts that are on their way.
  public void force() {
    List<Sent> parts;
    synchronized (this) {
      parts = List.copyOf(sent.subList(acknowledged, sent.size()));
    }
    parts.forEach(Sent::settle);
  }

  /// Whether another process could go on behind that length: the store has all parts up to it, and
  /// one ends there.
  public synchronized boolean isDurable(long length) {
    while (acknowledged < sent.size() && sent.get(acknowledged).isThere()) {
      acknowledged++;
    }
    int last = acknowledged;
    while (last > 0 && sent.get(last - 1).end > length) {
      last--;
    }
    return length == (last == 0 ? 0 : sent.get(last - 1).end);
  }

  /// Sends the rest, and waits until the store has all parts.
  ///
  /// @throws IOException if it does not take them
  public synchronized void finish() throws IOException {
    mend();
    if (filled > 0) {
      send(filled);
    }
    buffer = new byte[0];
    for (Sent each : sent) {
      each.await();
    }
  }

  /// Nothing before the last mark is taken back any more.
  public synchronized void forgetMarks() {
    tail = null;
  }

  /// Makes the file, once it is finished.
  ///
  /// @param expected as for {@link StorePath#put}
  /// @return the file's identity
  /// @throws IOException if the store can't do it
  public String complete(@Nullable String expected) throws IOException {
    List<Upload.Part> parts = new ArrayList<>();
    for (Sent each : sent) {
      parts.add(each.await());
    }
    return upload.complete(parts, expected);
  }

  /// Lets go of it. What the store has stays.
  public synchronized void close() {
    sent.forEach(Sent::settle);
    buffer = new byte[0];
    tail = null;
  }

  /// Removes what the store has of it.
  ///
  /// @throws IOException if that can't be done
  public void abort() throws IOException {
    // A part that comes behind it would stay.
    close();
    upload.abort();
  }
}
