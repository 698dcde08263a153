package millrace.connectors.sql.read;

import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableInfo.Cut.RangeSize;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Finds the keys at which a table is cut.
///
/// Numbers and times are cut evenly between the least and the greatest, if a look at some places
/// finds rows about as dense everywhere. All else is cut where the {@link Cut} says. If that does
/// not tell, it is cut by asking for the key that stands so many rows behind the last one, in the
/// database's own order; one key's rows are never parted.
///
/// One thread at a time, none of which runs other statements of the session.
final class KeyCutter {

  private static final int KEYS_MAX = 100_000;
  private static final int PLACES = 16;
  private static final int PLACE_ROWS = 1_000;

  /// So many times the mean a place may hold.
  private static final int DENSEST = 4;

  private final SqlSession session;
  private final Cut key;
  private final String from;
  private final String nextRow;
  private final RangeSize wanted;
  private @Nullable Iterator<String> cuts;
  private @Nullable String last;
  private int found;

  KeyCutter(SqlQuery query, SqlSession session, Cut key, RangeSize wanted) {
    this.session = session;
    this.key = key;
    this.wanted = wanted;
    Dialect dialect = query.database().dialect();
    from = " FROM " + query.relation().from(dialect.names());
    nextRow = dialect.statements().reading().nextRow();
  }

  /// Settles how it cuts.
  void begin() {
    // Ranges of which each lane has one are of no size.
    Stream<String> starts = key.perLane().isEmpty() ? evenly() : null;
    if (starts == null) {
      starts = key.keys().find(session, wanted);
    }
    cuts = starts == null ? null : starts.iterator();
  }

  /// Where even ranges of numbers or times begin; null if rows do not lie evenly.
  private @Nullable Stream<String> evenly() {
    Type type = key.type().type();
    if (!Ordinals.counts(type)) {
      return null;
    }
    // One statement for each end: databases find an end by the index, and both by reading all.
    String least = ask("SELECT min(" + key.sql() + ")" + from);
    String greatest = ask("SELECT max(" + key.sql() + ")" + from);
    if (least == null || greatest == null) {
      return null;
    }
    Ordinals ordinals = Ordinals.between(type, least, greatest);
    if (ordinals == null) {
      return null;
    }
    BigInteger min = ordinals.number(least);
    BigInteger max = ordinals.number(greatest);
    double rows = rows(ordinals, min, max);
    if (rows <= 0) {
      return null;
    }
    int count = (int) Math.clamp(Math.ceil(rows / wanted.rows()), 1, KEYS_MAX);
    // The first range has no lower bound.
    return Ordinals.cut(min, max, count).stream().skip(1).map(ordinals::key);
  }

  /// The next key in ascending order that a range begins with; null if there are no more.
  @Nullable String next() {
    if (cuts != null) {
      return cuts.hasNext() ? cuts.next() : null;
    }
    String before = last;
    if (++found > KEYS_MAX) {
      return null;
    }
    String next =
        before == null
            ? after(key.nullable() ? " WHERE " + key.sql() + " IS NOT NULL" : "", wanted.rows())
            : after(" WHERE " + key.sql() + " > ?", wanted.rows() - 1, before);
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
      String after = after(" WHERE " + key.sql() + " >= ?", PLACE_ROWS, ordinals.key(place));
      if (after == null && place.compareTo(min) > 0) {
        total += PLACE_ROWS; // at most so many up to the end
        break;
      }
      double width = after == null ? 0 : ordinals.number(after).subtract(place).doubleValue();
      if (width == 0) {
        return 0; // a small table, or many rows with one key
      }
      double rows = PLACE_ROWS * stretch / width;
      total += rows;
      densest = Math.max(densest, rows);
    }
    return densest * PLACES <= DENSEST * total ? total : 0;
  }

  private @Nullable String after(String where, long rows, String... parameters) {
    String next = " ORDER BY " + key.sql() + " " + nextRow.formatted(rows);
    return ask("SELECT " + key.sql() + from + where + next, parameters);
  }

  private @Nullable String ask(String sql, String... parameters) {
    return KeyRanges.ask(session, key, sql, parameters);
  }
}
