package millrace.spi.read;

import java.util.function.UnaryOperator;
import millrace.data.Type;

/// How a source that applies conditions itself spells those that the engine makes.
///
/// @param quoted a column's name as its SQL takes it
/// @param from what stands behind FROM; empty if it has no subqueries
/// @param moments how it spells dates and times
public record SqlWords(UnaryOperator<String> quoted, String from, Moments moments) {

  /// What the engine understands, and whoever reads conditions as it does.
  public static final SqlWords ENGINE =
      new SqlWords(
          name -> '"' + name.replace("\"", "\"\"") + '"', "", Moments.STANDARD.zoned("'%s+00'"));

  /// Literals of dates and times. `%s` stands for the value, as in `2024-02-29 12:34:56.789`.
  ///
  /// @param date of a day
  /// @param second of a timestamp without a fraction of a second
  /// @param timestamp of one with a fraction
  /// @param zoned of an instant, given in UTC without its offset
  public record Moments(String date, String second, String timestamp, String zoned) {

    /// Those of the standard.
    public static final Moments STANDARD =
        new Moments(
            "DATE '%s'", "TIMESTAMP '%s'", "TIMESTAMP '%s'", "TIMESTAMP WITH TIME ZONE '%s+00:00'");

    /// The same with another spelling of instants.
    public Moments zoned(String other) {
      return new Moments(date, second, timestamp, other);
    }
  }

  /// A value as a literal.
  ///
  /// @param value as {@link KeyWindow} has it
  String literal(Type type, String value) {
    return switch (type) {
      case Type.Date _ -> moments.date.formatted(value);
      case Type.Timestamp(boolean zoned) ->
          zoned
              ? moments.zoned.formatted(value.replaceFirst("\\+00$", ""))
              : (value.indexOf('.') < 0 ? moments.second : moments.timestamp).formatted(value);
      case Type.Numeric _ -> value;
      case Type.Bool _, Type.Time _, Type.Uuid _, Type.Textual _, Type.Bytes _ ->
          "'" + value.replace("'", "''") + "'";
    };
  }
}
