package millrace.connectors.mariadb;

import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.read.KeyRanges;
import millrace.connectors.sql.read.Ordinals;
import org.jspecify.annotations.Nullable;

/// Finds the keys at which a table is cut by the server's own estimates (`EXPLAIN`), which it gives
/// from its indexes without reading rows. A stretch of keys with too many rows is parted until its
/// parts have few enough; neighbours with few rows come together again.
///
/// One thread.
final class EstimatedCuts {

  private static final int PARTS_MAX = 16;
  private static final double FULL = 1.25;
  private static final int RANGES_TOLD = 2;

  private final SqlSession session;
  private final Cut key;
  private final String from;
  private final Ordinals ordinals;
  private final long rowsEach;
  private final Deque<Stretch> ahead = new ArrayDeque<>();
  private long gathered;

  /// Keys from one number on and below another.
  private record Stretch(BigInteger from, BigInteger below) {

    private boolean isOneKey() {
      return below.subtract(from).compareTo(BigInteger.ONE) <= 0;
    }
  }

  private EstimatedCuts(
      SqlSession session, Cut key, String from, Ordinals ordinals, long rowsEach) {
    this.session = session;
    this.key = key;
    this.from = from;
    this.ordinals = ordinals;
    this.rowsEach = rowsEach;
  }

  /// The same cut, whose numbers and times are cut by estimates if they do not lie evenly.
  ///
  /// @param table as SQL has it
  static Cut of(Cut key, String table) {
    String from = " FROM " + table;
    return Ordinals.counts(key.type().type())
        ? new Cut(
            key.sql(),
            key.type(),
            key.nullable(),
            (session, wanted) -> starts(session, key, from, wanted.rows()),
            "")
        : key;
  }

  /// Statistics that are behind limit what the server says of a long stretch to half the rows that
  /// they know of. Short ones are counted in the index. So if all of it seems to have several
  /// ranges, one range has what it says; if not, nothing is told.
  private static @Nullable Stream<String> starts(
      SqlSession session, Cut key, String from, long rowsEach) {
    String least = KeyRanges.ask(session, key, "SELECT min(" + key.sql() + ")" + from);
    String greatest = KeyRanges.ask(session, key, "SELECT max(" + key.sql() + ")" + from);
    if (least == null || greatest == null) {
      return null;
    }
    Ordinals ordinals = Ordinals.between(key.type().type(), least, greatest);
    if (ordinals == null) {
      return null;
    }
    EstimatedCuts cuts = new EstimatedCuts(session, key, from, ordinals, rowsEach);
    Stretch all = new Stretch(ordinals.number(least), ordinals.number(greatest));
    if (all.isOneKey() || cuts.rows(all) <= RANGES_TOLD * rowsEach) {
      return null;
    }
    cuts.ahead.push(all);
    return Stream.generate(cuts::next).takeWhile(Optional::isPresent).map(Optional::get);
  }

  /// The next key in ascending order that a range begins with; empty if there are no more.
  private Optional<String> next() {
    while (!ahead.isEmpty()) {
      Stretch stretch = ahead.pop();
      long rows = rows(stretch);
      if (rows > rowsEach && !stretch.isOneKey()) {
        part(stretch, Math.clamp(rows / rowsEach + 1, 2, PARTS_MAX));
        continue;
      }
      boolean isFull = gathered > 0 && gathered + rows > FULL * rowsEach;
      gathered = isFull ? rows : gathered + rows;
      if (isFull) {
        return Optional.of(ordinals.key(stretch.from));
      }
    }
    return Optional.empty();
  }

  private void part(Stretch stretch, int count) {
    List<BigInteger> begins = Ordinals.cut(stretch.from, stretch.below, count);
    BigInteger below = stretch.below;
    for (BigInteger begin : begins.reversed()) {
      ahead.push(new Stretch(begin, below));
      below = begin;
    }
  }

  /// About how many rows a stretch has.
  private long rows(Stretch stretch) {
    String sql = "EXPLAIN SELECT %1$s%2$s WHERE %1$s >= ? AND %1$s < ?".formatted(key.sql(), from);
    return session.run(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        KeyRanges.set(key, ordinals.key(stretch.from), statement, 1);
        KeyRanges.set(key, ordinals.key(stretch.below), statement, 2);
        session.runs(statement);
        ResultSet row = statement.executeQuery();
        return row.next() ? row.getLong("rows") : 0;
      }
    });
  }
}
