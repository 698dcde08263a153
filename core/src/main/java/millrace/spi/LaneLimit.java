package millrace.spi;

import java.io.Serializable;

/// How many lanes an end allows at once.
///
/// @param max most lanes
/// @param why why not more, for example `stdin is one stream`; empty if there is no limit
public record LaneLimit(int max, String why) implements Serializable {

  /// As many as anybody likes.
  public static final LaneLimit NONE = new LaneLimit(Integer.MAX_VALUE, "");

  /// One, or as many as anybody likes.
  ///
  /// @param why why one only; empty if there may be more
  public static LaneLimit oneIf(String why) {
    return why.isEmpty() ? NONE : new LaneLimit(1, why);
  }

  /// The lower of two limits; this one if they are equal.
  public LaneLimit and(LaneLimit other) {
    return max <= other.max ? this : other;
  }
}
