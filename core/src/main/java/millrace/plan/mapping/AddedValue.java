package millrace.plan.mapping;

import java.io.Serializable;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import millrace.data.Type;

/// The value of a column that the source does not have, the same for every row.
public sealed interface AddedValue extends Serializable {

  /// What a new table declares the column as, unless a cast says otherwise.
  Type type();

  /// The value as text that a column of a type can be read from.
  ///
  /// @param begun when the run began
  String spelled(Type as, Instant begun);

  /// The value as a user reads it.
  String words();

  /// A text, or what stands for a number.
  ///
  /// @param type what it is taken for
  record Constant(String text, Type type) implements AddedValue {

    @Override
    public String spelled(Type as, Instant begun) {
      return text;
    }

    @Override
    public String words() {
      return type instanceof Type.Text ? "'" + text + "'" : text;
    }
  }

  /// When the run began, to the second. A run that goes on with another has its time.
  record Now() implements AddedValue {

    @Override
    public Type type() {
      return new Type.Timestamp(true);
    }

    /// Without a time zone, in UTC.
    @Override
    public String spelled(Type as, Instant begun) {
      LocalDateTime utc = LocalDateTime.ofInstant(begun, ZoneOffset.UTC);
      if (as instanceof Type.Date) {
        return utc.toLocalDate().toString();
      }
      boolean isLocal = as instanceof Type.Timestamp(boolean zoned) && !zoned;
      return isLocal ? utc.toLocalDate() + " " + utc.toLocalTime() : begun.toString();
    }

    @Override
    public String words() {
      return "now()";
    }
  }
}
