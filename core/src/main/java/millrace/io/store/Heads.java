package millrace.io.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.spi.store.StoredObject;

/// The beginnings of the files of a store. A file is looked at several times before it is read: a
/// small one is fetched once. Any thread.
final class Heads {

  private static final int HEAD_BYTES = 64 << 10;

  /// Of so many files at once.
  private static final int FILES_MAX = 512;

  private record Key(String key, String identity) {}

  private final Map<Key, byte[]> byKey =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, byte[]> eldest) {
          return size() > FILES_MAX;
        }
      };

  /// Reads a range of a file.
  InputStream open(StoreClient store, StoredObject file, long from, long to) throws IOException {
    if (!file.hasRanges()) {
      // The server sends all of it, from its beginning.
      return store.whole(file);
    }
    if (from == to) {
      return InputStream.nullInputStream();
    }
    long headEnd = Math.min(file.size(), HEAD_BYTES);
    if (from >= headEnd) {
      return new RangeStream(store, file, from, to);
    }
    byte[] head = head(store, file, (int) headEnd);
    int length = (int) (Math.min(to, headEnd) - from);
    InputStream first = new ByteArrayInputStream(head, (int) from, length);
    return to <= headEnd
        ? first
        : new SequenceInputStream(first, new RangeStream(store, file, headEnd, to));
  }

  /// How many requests it takes to read so many files to their ends that have been looked at.
  static long requests(List<StoredObject> files) {
    long requests = files.size() > FILES_MAX ? files.size() : 0;
    for (StoredObject file : files) {
      requests += file.hasRanges() ? RangeStream.requests(HEAD_BYTES, file.size()) : 1;
    }
    return requests;
  }

  private byte[] head(StoreClient store, StoredObject file, int length) throws IOException {
    Key key = new Key(file.key(), file.identity());
    synchronized (byKey) {
      byte[] known = byKey.get(key);
      if (known != null) {
        return known;
      }
    }
    byte[] head = new byte[length];
    long rested = store.range(file, 0, head, length);
    store.waits().limit(rested, rested);
    synchronized (byKey) {
      byKey.put(key, head);
    }
    return head;
  }
}
