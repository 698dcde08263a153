package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.io.store.StorePath;
import millrace.spi.Counters.Count;

/// About how many requests a copy makes of the stores that its ends lie in, which are paid by them.
///
/// @param list of folders
/// @param head what is known of one file
/// @param get parts of files
/// @param put small files, parts of files, and what puts those together
public record StoreRequests(long list, long head, long get, long put) {

  /// Of no store.
  static final StoreRequests NONE = new StoreRequests(0, 0, 0, 0);

  /// To begin a file and to complete it, and lines of the journal at its beginning and end.
  private static final int PUTS_AROUND = 7;

  /// To look whether the file, its journal or an upload of it is there.
  private static final int LISTS_AROUND = 3;

  private static final int HEADS_AROUND = 6;

  /// The journal gets another line behind so many bytes.
  private static final long JOURNAL_BYTES = 128L << 20;

  /// What stores have counted so far.
  static StoreRequests of(List<Count> counts) {
    return new StoreRequests(
        value(counts, "list"), value(counts, "head"), value(counts, "get"), value(counts, "put"));
  }

  private static long value(List<Count> counts, String name) {
    return counts.stream()
        .filter(each -> each.group().equals("store") && each.name().equals(name))
        .mapToLong(Count::value)
        .sum();
  }

  /// How many it takes to write a file, beside those by which its place was looked at.
  static StoreRequests writing(StorePath file, long bytes) {
    long puts = file.parts(bytes) + PUTS_AROUND + bytes / JOURNAL_BYTES;
    return new StoreRequests(LISTS_AROUND, HEADS_AROUND, 0, puts);
  }

  /// Those that came after others.
  StoreRequests since(StoreRequests before) {
    return new StoreRequests(
        list - before.list, head - before.head, get - before.get, put - before.put);
  }

  /// These and those.
  StoreRequests and(StoreRequests others) {
    return new StoreRequests(
        list + others.list, head + others.head, get + others.get, put + others.put);
  }

  /// What a user reads; nothing if there are none.
  List<String> lines() {
    List<String> counts = new ArrayList<>();
    add(counts, "LIST", list);
    add(counts, "HEAD", head);
    add(counts, "GET", get);
    add(counts, "PUT", put);
    return counts.isEmpty()
        ? List.of()
        : List.of("requests of the store, by which it is paid: about " + String.join(", ", counts));
  }

  private static void add(List<String> counts, String name, long count) {
    if (count > 0) {
      counts.add(String.format(Locale.ROOT, "%,d %s", count, name));
    }
  }
}
