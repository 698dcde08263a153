package millrace.testkit.faulty;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Decides which calls fail. Threads share it, so a decision may depend on nothing but its
/// parameters: the same plan then fails the same calls however the lanes take turns.
@FunctionalInterface
public interface FaultPlan {

  /// Where a fault may strike: before the call is passed on, so that it has had no effect, except
  /// for {@link #COMMITTED}.
  enum Site {
    READ,
    WRITE,
    FINISH,
    /// Behind a checkpoint or a finish that has made rows durable: the answer is lost.
    COMMITTED,
    COMPLETE
  }

  /// What happens.
  enum Kind {
    TRANSIENT,
    EXTERNAL,
    DATA,
    /// The call is passed on after up to two milliseconds.
    DELAY,
    /// The call waits until its reader or writer is cancelled; not for {@link Site#COMPLETE}.
    HANG
  }

  /// What happens to a call, or null to let it pass.
  ///
  /// @param split number of the split; -1 for {@link Site#COMPLETE}
  /// @param call how many calls for that split went to this site before, earlier tries included
  @Nullable Kind decide(Site site, int split, long call);

  /// No faults at all.
  static FaultPlan none() {
    return (_, _, _) -> null;
  }

  /// One fault, at one call.
  static FaultPlan at(Site where, int splitAt, long callAt, Kind kind) {
    return (site, split, call) -> site == where && split == splitAt && call == callAt ? kind : null;
  }

  /// Faults at random: each call fails with the given probability, in one of the given ways.
  static FaultPlan random(long seed, double probability, List<Kind> kinds) {
    return (site, split, call) -> {
      // SplittableRandom mixes its seed well enough that neighbouring ones have nothing in common.
      long mixed = ((seed * 31 + site.name().hashCode()) * 1_000_003 + split) * 1_000_003 + call;
      SplittableRandom random = new SplittableRandom(mixed);
      return random.nextDouble() < probability ? kinds.get(random.nextInt(kinds.size())) : null;
    };
  }
}
