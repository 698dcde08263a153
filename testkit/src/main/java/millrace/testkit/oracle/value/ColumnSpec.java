package millrace.testkit.oracle.value;

/// A column of a result or of a table to load, as a describe tells it to the client.
///
/// @param size the most bytes that a value has
/// @param precision of a number, or of an interval's leading field
/// @param scale digits behind the point; {@link #FLOATING} for a number without a scale; the format
///   of a vector
/// @param chars the most characters that a text has, or how many numbers a vector has
public record ColumnSpec(
    String name,
    TtcType type,
    CharForm form,
    int size,
    int precision,
    int scale,
    int chars,
    boolean nullable) {

  /// The scale of numbers that have none.
  public static final int FLOATING = -127;

  private static final int NUMBER_BYTES = 22;

  /// A number of any scale.
  public static ColumnSpec number(String name) {
    return new ColumnSpec(name, TtcType.NUMBER, CharForm.NONE, NUMBER_BYTES, 0, FLOATING, 0, true);
  }

  /// A text of so many bytes.
  public static ColumnSpec text(String name, int bytes) {
    return new ColumnSpec(name, TtcType.VARCHAR, CharForm.DATABASE, bytes, 0, 0, bytes, true);
  }

  /// A value whose type alone says how large it is.
  public static ColumnSpec plain(String name, TtcType type, int size, int scale) {
    return new ColumnSpec(name, type, CharForm.NONE, size, 0, scale, 0, true);
  }

  /// The column with its values in another type.
  public ColumnSpec as(TtcType other) {
    return new ColumnSpec(name, other, form, size, precision, scale, chars, nullable);
  }

  public ColumnSpec renamed(String other) {
    return new ColumnSpec(other, type, form, size, precision, scale, chars, nullable);
  }
}
