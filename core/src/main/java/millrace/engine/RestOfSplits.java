package millrace.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Receipt;
import millrace.spi.Split;
import millrace.spi.Splits;
import org.jspecify.annotations.Nullable;

/// The splits that an earlier run has not taken, and the rests of those that it has taken in part.
final class RestOfSplits implements Splits {

  private final Splits all;
  private final Map<Integer, Map<Long, Receipt>> taken = new HashMap<>();

  /// @param all cut as they were for the earlier run
  RestOfSplits(Splits all, List<Receipt> receipts) {
    this.all = all;
    for (Receipt receipt : receipts) {
      Split split = receipt.split();
      taken.computeIfAbsent(split.index(), _ -> new HashMap<>()).put(split.from(), receipt);
    }
  }

  @Override
  public @Nullable Split next() {
    for (Split split = all.next(); split != null; split = all.next()) {
      Split rest = rest(split);
      if (rest != null) {
        return rest;
      }
    }
    return null;
  }

  /// What is left of a split, or null where nothing is. A run that went on with a rest has left a
  /// receipt of that.
  private @Nullable Split rest(Split split) {
    Map<Long, Receipt> receipts = taken.getOrDefault(split.index(), Map.of());
    Split rest = split;
    int used = 0;
    while (rest != null && receipts.containsKey(rest.from())) {
      Receipt receipt = receipts.get(rest.from());
      if (!receipt.split().resource().equals(rest.resource())
          || receipt.split().to() != rest.to()) {
        throw cutDifferently(split);
      }
      rest = receipt.rest();
      used++;
    }
    if (used < receipts.size()) {
      throw cutDifferently(split);
    }
    return rest;
  }

  private static Fault.User cutDifferently(Split split) {
    return new Fault.User(
        "The copy can't go on: "
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
