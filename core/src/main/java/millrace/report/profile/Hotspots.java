package millrace.report.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Adds stacks up into the methods that were on top of them most.
///
/// One thread uses it.
final class Hotspots {

  /// Methods with at least this share of the samples are listed.
  static final double HOT_PERCENT = 10;

  /// How many are listed if no method has that share.
  private static final int LISTED_OTHERWISE = 3;

  /// How many callers up a method is told apart.
  private static final int CHAIN_MAX = 3;

  private static final int CALLERS_MAX = 3;

  /// Ways in that carry less than this are left out.
  private static final double CALLER_PERCENT_MIN = 1;

  private final Map<String, Map<List<String>, Integer>> chainsOfMethod = new HashMap<>();
  private long samples;

  /// Adds a stack, its top first; one that is empty counts as a sample all the same.
  void add(List<String> stack) {
    samples++;
    if (!stack.isEmpty()) {
      List<String> chain = List.copyOf(stack.subList(1, Math.min(stack.size(), 1 + CHAIN_MAX)));
      chainsOfMethod
          .computeIfAbsent(stack.getFirst(), _ -> new HashMap<>())
          .merge(chain, 1, Integer::sum);
    }
  }

  long samples() {
    return samples;
  }

  /// The methods, most samples first.
  List<Profile.Hot> hot() {
    List<Profile.Hot> all = new ArrayList<>();
    chainsOfMethod.forEach((method, chains) -> {
      long own = chains.values().stream().mapToLong(Integer::longValue).sum();
      all.add(new Profile.Hot(method, percent(own), callers(chains)));
    });
    all.sort(
        Comparator.comparingDouble(Profile.Hot::percent)
            .reversed()
            .thenComparing(Profile.Hot::method));
    List<Profile.Hot> hot = all.stream().filter(each -> each.percent() >= HOT_PERCENT).toList();
    return hot.isEmpty() ? all.subList(0, Math.min(LISTED_OTHERWISE, all.size())) : hot;
  }

  private List<Profile.Caller> callers(Map<List<String>, Integer> chains) {
    return chains.entrySet().stream()
        .filter(each -> !each.getKey().isEmpty())
        .map(each -> new Profile.Caller(each.getKey(), percent(each.getValue())))
        .filter(each -> each.percent() >= CALLER_PERCENT_MIN)
        .sorted(
            Comparator.comparingDouble(Profile.Caller::percent)
                .reversed()
                .thenComparing(each -> String.join(" ", each.chain())))
        .limit(CALLERS_MAX)
        .toList();
  }

  private double percent(long count) {
    return 100.0 * count / samples;
  }
}
