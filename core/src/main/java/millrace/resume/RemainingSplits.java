package millrace.resume;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Position;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// The splits that an earlier run has not taken, and the rests of those that it has taken in part.
final class RemainingSplits implements Splits {

  private final Splits all;
  private final Map<Integer, Map<String, Receipt>> taken = new HashMap<>();
  private @Nullable String takenToItsEnd;
  private @Nullable String shrunk;

  /// @param all cut as they were for the earlier run
  RemainingSplits(Splits all, List<Receipt> receipts) {
    this.all = all;
    for (Receipt receipt : receipts) {
      Split split = receipt.split();
      taken.computeIfAbsent(split.index(), _ -> new HashMap<>()).put(start(split), receipt);
    }
  }

  @Override
  public @Nullable Split next() {
    for (Split split = all.next(); split != null; split = all.next()) {
      Split rest = rest(split);
      taken.remove(split.index());
      if (rest != null) {
        return rest;
      }
    }
    taken.values().stream().flatMap(each -> each.values().stream()).forEach(this::checkBeyond);
    return null;
  }

  /// If a resource has shrunk, splits of its old end may have been taken that had no rows.
  private void checkBeyond(Receipt receipt) {
    if (receipt.rows() > 0 || !receipt.split().resource().equals(shrunk)) {
      throw cutDifferently(receipt.split());
    }
  }

  /// What is left of a split, or null if nothing is. A run that went on with a rest has left a
  /// receipt of that.
  private @Nullable Split rest(Split split) {
    Map<String, Receipt> receipts = taken.getOrDefault(split.index(), Map.of());
    if (split.resource().equals(takenToItsEnd)) {
      if (!receipts.isEmpty()) {
        throw cutDifferently(split);
      }
      return null;
    }
    Split rest = split;
    int used = 0;
    for (Receipt receipt = receipts.get(start(split)); receipt != null && rest != null; ) {
      if (!receipt.split().resource().equals(rest.resource())) {
        throw cutDifferently(split);
      }
      rest =
          end(receipt.split()).equals(end(rest))
              ? rest.rest(receipt.rest())
              : atTheEnd(receipt, rest, split);
      used++;
      receipt = rest == null ? null : receipts.get(start(rest));
    }
    if (used < receipts.size()) {
      throw cutDifferently(split);
    }
    return rest;
  }

  private static String start(Split split) {
    return split.position() instanceof Position.KeyRange keys
        ? "key " + keys.from()
        : String.valueOf(split.from());
  }

  private static String end(Split split) {
    return split.position() instanceof Position.KeyRange keys
        ? "key " + keys.to()
        : String.valueOf(split.to());
  }

  /// The last split of a resource has no end. One that has grown since is cut further, and all
  /// behind the old last split has been taken with it; one that has shrunk ends earlier.
  private @Nullable Split atTheEnd(Receipt receipt, Split now, Split split) {
    if (receipt.rest() != null) {
      throw cutDifferently(split);
    }
    if (receipt.split().to() == Long.MAX_VALUE) {
      takenToItsEnd = split.resource();
      return null;
    }
    if (now.to() == Long.MAX_VALUE) {
      shrunk = now.resource();
      return new Split(now.index(), now.resource(), receipt.split().to(), now.to(), 0, 0);
    }
    throw cutDifferently(split);
  }

  private static Fault.User cutDifferently(Split split) {
    return new Fault.User(
        "The copy can't be resumed: "
            + split.resource()
            + " is cut in other places than before, from split "
            + split.index()
            + " on.",
        "It was begun by another version, or the source has changed: begin again with --fresh.");
  }

  @Override
  public void close() {
    all.close();
  }
}
