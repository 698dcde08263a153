package millrace.connectors.sql.read;

import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Reading;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Finds the keys at which a table is cut.
///
/// Numbers and times are cut evenly between the least and the greatest, if a look at some places
/// finds rows about as dense everywhere, else by the database's own estimates, see {@link
/// EstimatedCuts}. All else, and what it has no estimates of, is cut by asking for the key that
/// stands so many rows behind the last one, in the database's own order; one key's rows are never
/// parted.
///
/// One thread at a time, none of which runs other statements of the session.
final class KeyCutter {

  private static final int KEYS_MAX = 100_000;
  private static final int PLACES = 16;
  private static final int PLACE_ROWS = 1_000;

  /// So many times the mean a place may hold.
  private static final int DENSEST = 4;

  private static final int RANGES_TOLD = 2;

  private final SqlSession session;
  private final Cut key;
  private final String from;
  private final Reading reading;
  private final long rowsEach;
  private @Nullable Supplier<@Nullable String> cuts;
  private @Nullable String last;
  private int found;

  /// @param rowsEach about how many rows a range is to have, at least 1
  KeyCutter(SqlQuery query, SqlSession session, Cut key, long rowsEach) {
    this.session = session;
    this.key = key;
    this.rowsEach = rowsEach;
    Dialect dialect = query.database().dialect();
    from = " FROM " + query.relation().from(dialect.names());
    reading = dialect.statements().reading();
  }

  /// Settles how it cuts.
  void begin() {
    Type type = key.type().type();
    if (!Ordinals.counts(type)) {
      return;
    }
    // One statement for each end: databases find an end by the index, and both by reading all.
    String least = ask("SELECT min(" + key.sql() + ")" + from, null);
    String greatest = ask("SELECT max(" + key.sql() + ")" + from, null);
    if (least == null || greatest == null) {
      return;
    }
    Ordinals ordinals = Ordinals.between(type, least, greatest);
    if (ordinals == null) {
      return;
    }
    BigInteger min = ordinals.number(least);
    BigInteger max = ordinals.number(greatest);
    double rows = rows(ordinals, min, max);
    if (rows > 0) {
      int count = (int) Math.clamp(Math.ceil(rows / rowsEach), 1, KEYS_MAX);
      // The first range has no lower bound.
      Queue<String> even =
          Ordinals.cut(min, max, count).stream()
              .skip(1)
              .map(ordinals::key)
              .collect(Collectors.toCollection(ArrayDeque::new));
      cuts = even::poll;
    } else if (tells(ordinals, min, max)) {
      cuts = new EstimatedCuts(ordinals, min, max, this::estimate, rowsEach)::next;
    }
  }

  /// Whether the database tells how many rows ranges have. Statistics that are behind limit what it
  /// says of a long stretch to half the rows that they know of. Short ones are counted in the
  /// index. So if all of it seems to have several ranges, one range has what it says.
  private boolean tells(Ordinals ordinals, BigInteger min, BigInteger max) {
    return !reading.estimate().isEmpty()
        && max.compareTo(min) > 0
        && estimate(ordinals.key(min), ordinals.key(max)) > RANGES_TOLD * rowsEach;
  }

  private long estimate(String least, String below) {
    String range =
        "SELECT " + key.sql() + from + " WHERE " + key.sql() + " >= ? AND " + key.sql() + " < ?";
    String sql = reading.estimate().formatted(range);
    return session.run(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        KeyRanges.set(key, least, statement, 1);
        KeyRanges.set(key, below, statement, 2);
        session.runs(statement);
        ResultSet row = statement.executeQuery();
        return row.next() ? row.getLong("rows") : 0;
      }
    });
  }

  /// The next key in ascending order that a range begins with; null if there are no more.
  @Nullable String next() {
    if (cuts != null) {
      return cuts.get();
    }
    String before = last;
    if (++found > KEYS_MAX) {
      return null;
    }
    String next =
        before == null
            ? behind(key.nullable() ? " WHERE " + key.sql() + " IS NOT NULL" : "", null, rowsEach)
            : behind(" WHERE " + key.sql() + " > ?", before, rowsEach - 1);
    last = next;
    return Objects.equals(next, before) ? null : next;
  }

  /// About how many rows there are, by how far apart they stand at some places; 0 if that does not
  /// tell.
  private double rows(Ordinals ordinals, BigInteger min, BigInteger max) {
    List<BigInteger> places = Ordinals.cut(min, max, PLACES);
    double stretch = max.subtract(min).doubleValue() / PLACES;
    double total = 0;
    double densest = 0;
    for (BigInteger place : places) {
      String behind = behind(" WHERE " + key.sql() + " >= ?", ordinals.key(place), PLACE_ROWS);
      if (behind == null && place.compareTo(min) > 0) {
        total += PLACE_ROWS; // at most so many up to the end
        break;
      }
      double width = behind == null ? 0 : ordinals.number(behind).subtract(place).doubleValue();
      if (width == 0) {
        return 0; // a small table, or many rows with one key
      }
      double rows = PLACE_ROWS * stretch / width;
      total += rows;
      densest = Math.max(densest, rows);
    }
    return densest * PLACES <= DENSEST * total ? total : 0;
  }

  private @Nullable String behind(String where, @Nullable String parameter, long rows) {
    return ask(
        "SELECT "
            + key.sql()
            + from
            + where
            + " ORDER BY "
            + key.sql()
            + " "
            + reading.nextRow().formatted(rows),
        parameter);
  }

  private @Nullable String ask(String sql, @Nullable String parameter) {
    return session.run(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        if (parameter != null) {
          KeyRanges.set(key, parameter, statement, 1);
        }
        session.runs(statement);
        ResultSet row = statement.executeQuery();
        return row.next() ? KeyRanges.key(key, row) : null;
      }
    });
  }
}
