package millrace.connectors.kudu.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A part of a table: some keys of a tablet, as Kudu encodes them. It is the resource of a split,
/// so that a journal tells which keys were taken, however the tablets are cut by then.
///
/// @param partition where the tablet's partition begins
/// @param from the first key; empty if there is no bound
/// @param to the key that ends it; empty if there is no bound
record KeyRangeOfTablet(String partition, String from, String to) {

  private static final Pattern SPELLED =
      Pattern.compile("tablet ([0-9a-f]*), keys ([0-9a-f]*) to ([0-9a-f]*)");

  static KeyRangeOfTablet of(byte[] partition, byte[] from, byte[] to) {
    HexFormat hex = HexFormat.of();
    return new KeyRangeOfTablet(hex.formatHex(partition), hex.formatHex(from), hex.formatHex(to));
  }

  /// What {@link #spelled} has written; null if it is something else.
  static @Nullable KeyRangeOfTablet parse(String text) {
    Matcher matcher = SPELLED.matcher(text);
    return matcher.matches()
        ? new KeyRangeOfTablet(matcher.group(1), matcher.group(2), matcher.group(3))
        : null;
  }

  String spelled() {
    return "tablet " + partition + ", keys " + from + " to " + to;
  }

  /// What is left of this without those keys, which others have taken.
  List<KeyRangeOfTablet> without(List<KeyRangeOfTablet> taken) {
    List<KeyRangeOfTablet> mine =
        taken.stream()
            .filter(each -> each.partition.equals(partition))
            .sorted(Comparator.comparing(KeyRangeOfTablet::from, KeyRangeOfTablet::compare))
            .toList();
    List<KeyRangeOfTablet> left = new ArrayList<>();
    String at = from;
    for (KeyRangeOfTablet each : mine) {
      boolean isBehind = !to.isEmpty() && compare(each.from, to) >= 0;
      boolean isBefore = !each.to.isEmpty() && compare(each.to, at) <= 0;
      if (isBehind || isBefore) {
        continue;
      }
      if (compare(each.from, at) > 0) {
        left.add(new KeyRangeOfTablet(partition, at, each.from));
      }
      if (each.to.isEmpty()) {
        return left;
      }
      at = each.to;
    }
    if (to.isEmpty() || compare(at, to) < 0) {
      left.add(new KeyRangeOfTablet(partition, at, to));
    }
    return left;
  }

  /// Keys are compared byte by byte, which in hexadecimal digits is the same.
  private static int compare(String one, String other) {
    return one.compareTo(other);
  }

  /// The first key; empty if there is no bound.
  byte[] fromKey() {
    return HexFormat.of().parseHex(from);
  }

  /// The key that ends it; empty if there is no bound.
  byte[] toKey() {
    return HexFormat.of().parseHex(to);
  }
}
