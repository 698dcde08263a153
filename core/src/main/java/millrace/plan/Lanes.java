package millrace.plan;

import java.io.Serializable;

/// How many lanes a run has: a number, or the bounds within which the run finds out by measuring.
///
/// @param first how many it begins with
/// @param most how many it may come to have; as many as the first if the number is settled
/// @param why why not more, if something stood against it; may be empty
public record Lanes(int first, int most, String why) implements Serializable {

  /// The most that are used without a measurement that says so.
  private static final int UNMEASURED_MAX = 8;

  public Lanes {
    if (first < 1 || most < first) {
      throw new IllegalArgumentException("from " + first + " to " + most + " lanes");
    }
  }

  /// That many, whatever is measured.
  ///
  /// @param why why not more; may be empty
  public static Lanes fixed(int count, String why) {
    return new Lanes(count, count, why);
  }

  /// The same, beginning with a number that was best before, or next to it: one has to be left to
  /// try.
  Lanes beginningWith(int known) {
    return measured() && known > 0 ? new Lanes(Math.min(known, most - 1), most, why) : this;
  }

  /// Whether the run is to find out.
  public boolean measured() {
    return most > first;
  }

  /// One for each processor, as far as that goes without measuring.
  static int oneEachProcessor() {
    return Math.min(UNMEASURED_MAX, Runtime.getRuntime().availableProcessors());
  }

  /// A number for runs that are too short to find one, or that would disturb each other by trying.
  Lanes settled() {
    return measured() ? fixed(Math.min(most, oneEachProcessor()), why) : this;
  }

  /// As the plan says it.
  String words() {
    String reason = why.isEmpty() ? "" : " (" + why + ")";
    return measured()
        ? first + " to begin with; the run measures how many of 1 to " + most + " are best" + reason
        : first + reason;
  }
}
