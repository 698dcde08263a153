package millrace.testkit.oracle.rules;

import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraKind;
import org.h2.api.Interval;
import org.h2.api.IntervalQualifier;
import org.jspecify.annotations.Nullable;

/// Hands values to H2's statements, turned into what a column of Oracle's would make of them.
public final class BindValues {
  private BindValues() {}

  /// Sets a parameter.
  ///
  /// @param column the column that takes the value as it is; null if it stands in an expression
  /// @param zone the session's time zone
  public static void set(
      PreparedStatement statement,
      int index,
      @Nullable Object value,
      @Nullable OraColumn column,
      ZoneId zone)
      throws SQLException {
    Object fit = column == null || value == null ? value : fit(value, column.type().kind(), zone);
    switch (fit) {
      case null -> statement.setNull(index, Types.NULL);
      case String text when text.isEmpty() -> statement.setNull(index, Types.NULL);
      case byte[] bytes -> statement.setBytes(index, bytes);
      case StringReader text -> statement.setCharacterStream(index, text);
      case Period months -> statement.setObject(index, interval(months));
      case Duration seconds -> statement.setObject(index, interval(seconds));
      default -> statement.setObject(index, fit);
    }
  }

  private static Object fit(Object value, OraKind kind, ZoneId zone) {
    return switch (value) {
      case LocalDateTime time when kind == OraKind.DATE -> time.truncatedTo(ChronoUnit.SECONDS);
      case LocalDateTime time when kind == OraKind.TIMESTAMP_TZ ->
          time.atZone(zone).toOffsetDateTime();
      case LocalDateTime time when kind == OraKind.TIMESTAMP_LTZ ->
          time.atZone(zone).withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime();
      default -> value;
    };
  }

  private static Interval interval(Period value) {
    long months = value.toTotalMonths();
    return new Interval(
        IntervalQualifier.YEAR_TO_MONTH, months < 0, Math.abs(months) / 12, Math.abs(months) % 12);
  }

  private static Interval interval(Duration value) {
    Duration size = value.abs();
    long nanos = (size.toSeconds() % 86_400) * 1_000_000_000L + size.toNanosPart();
    return new Interval(IntervalQualifier.DAY_TO_SECOND, value.isNegative(), size.toDays(), nanos);
  }
}
