package millrace.engine.transform;

import millrace.data.Type;

/// How the values of one column cross from the source's type to the target's.
public sealed interface Conversion {

  /// As they are, without a copy.
  record Moved() implements Conversion {}

  /// As they are, text that is too long for the type left out.
  record Bounded(Type.Text type) implements Conversion {}

  /// Checked if they are.
  record InPlace(ValueConversion each) implements Conversion {}

  /// Written anew, into another vector.
  record Rewritten(ValueConversion each) implements Conversion {}

  /// Made of nothing that is read: one value for every row.
  record Added(Constant value) implements Conversion {}

  /// Not at all.
  ///
  /// @param why the rest of a sentence; empty if a value of the one type is none of the other
  record Refused(String why) implements Conversion {}
}
