package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.spi.Counters.Count;

/// About how many requests a copy makes of the stores that its ends lie in, which are paid by them.
///
/// @param list of folders
/// @param head what is known of one file
/// @param get parts of files
/// @param put whole small files, parts of files, and what puts those together
public record StoreRequests(long list, long head, long get, long put) {

  /// Of ends in no store.
  public static final StoreRequests NONE = new StoreRequests(0, 0, 0, 0);

  private static final long PART_BYTES = 8L << 20;

  /// So many parts have one size. The next are twice as long, so that no file has too many.
  private static final int PARTS_OF_SIZE = 1000;

  /// To begin a file of several parts, to complete it, and to look whether it is there.
  private static final int PUTS_AROUND = 3;

  /// Those that a store has counted.
  static StoreRequests counted(List<Count> before, List<Count> after) {
    return new StoreRequests(
        moved(before, after, "list"), moved(before, after, "head"), moved(before, after, "get"), 0);
  }

  private static long moved(List<Count> before, List<Count> after, String name) {
    return value(after, name) - value(before, name);
  }

  private static long value(List<Count> counts, String name) {
    return counts.stream()
        .filter(each -> each.group().equals("store") && each.name().equals(name))
        .mapToLong(Count::value)
        .sum();
  }

  /// How many requests it takes to write files.
  ///
  /// @param bytes of all of them
  /// @param files how many, about as long as each other
  /// @param entries of the copy's journal, each of which is written at once
  static long puts(long bytes, long files, long entries) {
    long parts = 0;
    long left = Math.ceilDiv(bytes, files);
    for (long size = PART_BYTES; left > 0; size *= 2) {
      long some = Math.min(PARTS_OF_SIZE, Math.ceilDiv(left, size));
      parts += some;
      left -= some * size;
    }
    return files * (parts + PUTS_AROUND) + entries;
  }

  /// The same with some more of them.
  StoreRequests with(long moreGet, long morePut) {
    return new StoreRequests(list, head, get + moreGet, put + morePut);
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
