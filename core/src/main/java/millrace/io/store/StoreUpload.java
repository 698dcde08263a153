package millrace.io.store;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// A file of a store that is written in parts, which stay when the process ends. Any thread.
public final class StoreUpload {

  private final StoreClient store;
  private final int partBytes;
  private final Semaphore onTheWay;
  private final Deque<SoftReference<byte[]>> free;
  private final Upload upload;

  StoreUpload(StoreFileSystem system, Upload upload) {
    store = system.store();
    partBytes = system.partBytes();
    onTheWay = system.partsOnTheWay();
    free = system.freeArrays();
    this.upload = upload;
  }

  /// By what another process finds it again.
  public String id() {
    return upload.id();
  }

  /// How many bytes the store has of it.
  ///
  /// @throws IOException if the store can't tell
  public long bytes() throws IOException {
    return StoreClient.bytes(parts());
  }

  List<Upload.Part> parts() throws IOException {
    return store.parts(upload);
  }

  long partBytesMin() {
    return upload.partBytesMin();
  }

  /// How long the first part is.
  int partBytes() {
    return Math.toIntExact(Math.max(partBytes, partBytesMin()));
  }

  int partsMax() {
    return upload.partsMax();
  }

  /// An array for a part; large ones are costly to make, so they go round.
  byte[] array(int length) {
    SoftReference<byte[]> first = free.pollFirst();
    byte[] array = first == null ? null : first.get();
    return array != null && array.length == length ? array : new byte[length];
  }

  /// Nobody uses that array any more.
  void letGo(byte[] array) {
    free.addFirst(new SoftReference<>(array));
  }

  /// Sends a part on its way. Waits as long as there are too many, of all files of the store.
  ///
  /// @param bytes not to be changed until it has come
  /// @return comes to its end when the store has the part, or with an {@link IOException}
  CompletableFuture<Upload.Part> put(int number, byte[] bytes, int length) throws IOException {
    int share = Math.clamp(length / partBytes(), 1, StoreFileSystem.PARTS_AT_ONCE);
    try {
      onTheWay.acquire(share);
    } catch (InterruptedException e) {
      throw StoreClient.interrupted(e);
    }
    CompletableFuture<Upload.Part> put = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            put.complete(store.put(upload, number, bytes, length));
          } catch (IOException | RuntimeException | Error e) {
            put.completeExceptionally(e);
          } finally {
            onTheWay.release(share);
          }
        });
    return put;
  }

  /// Makes the file of those parts.
  ///
  /// @param expected as for {@link StorePath#put}
  /// @return its identity
  String complete(List<Upload.Part> parts, @Nullable String expected) throws IOException {
    return store.complete(upload, parts, expected).identity();
  }

  /// Makes the file of the first parts that are as long as that together.
  ///
  /// @param expected as for {@link StorePath#put}
  /// @return false if there are no such parts
  /// @throws IOException if the store can't do it
  public boolean complete(long length, @Nullable String expected) throws IOException {
    List<Upload.Part> parts = first(parts(), length);
    if (parts != null) {
      complete(parts, expected);
    }
    return parts != null;
  }

  /// The first parts that are as long as that together; null if there are none such.
  static @Nullable List<Upload.Part> first(List<Upload.Part> parts, long length) {
    long end = 0;
    int count = 0;
    while (end < length && count < parts.size() && parts.get(count).number() == count + 1) {
      end += parts.get(count).bytes();
      count++;
    }
    return end == length ? parts.subList(0, count) : null;
  }

  /// Removes the parts; nothing happens if they are gone, or the file is complete.
  ///
  /// @throws IOException if the store can't do it
  public void abort() throws IOException {
    store.abort(upload);
  }
}
