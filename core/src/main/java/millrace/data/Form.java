package millrace.data;

import java.io.Serializable;

/// The form in which rows cross from source to target. Both ends say which they speak and at what
/// cost; the planner picks the cheapest in common.
///
/// @param name for plans and reports, for example `columns`, `csv`, `postgresql-binary`
/// @param signature all that both ends must agree on for the bytes to mean the same, for example a
///   CSV dialect or a list of column types; empty for columns

public record Form(String name, String signature) implements Serializable {

  /// Typed arrays, which every end speaks; crosses as {@link Columns}.
  public static final Form COLUMNS = new Form("columns", "");

  /// What columns cost an end that has measured nothing, in nanoseconds of processor time per byte
  /// of text.
  public static final double USUAL_COLUMNS_COST = 3;

  /// Whether rows cross as raw bytes.
  public boolean isFrames() {
    return !equals(COLUMNS);
  }
}
