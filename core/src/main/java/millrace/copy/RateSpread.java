package millrace.copy;

import java.util.List;

/// What short looks at a copy say of how fast all of it will go. Pure.
///
/// @param rates rows in a second, of looks that were as long as each other; may be empty
record RateSpread(List<Double> rates) {

  /// What no look shows: how a machine and its servers do later on.
  private static final double UNSEEN = 0.25;

  /// The looks follow each other closely, so that their mean moves more than that of others would.
  private static final double ALIKE = 3;

  RateSpread {
    rates = List.copyOf(rates);
  }

  /// How far the copy's rate may lie from what was seen, as a share of it, in nine of ten copies.
  double unsure() {
    double mean = rates.stream().mapToDouble(each -> each).average().orElse(0);
    if (rates.size() < 2 || !(mean > 0)) {
      return 2 * UNSEEN;
    }
    double squares = rates.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
    double ofMean = Math.sqrt(squares / (rates.size() - 1) / rates.size()) / mean;
    return Math.min(0.6, Math.hypot(UNSEEN, ALIKE * ofMean));
  }
}
