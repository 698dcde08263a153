package millrace.connectors.sql.h2;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import org.jspecify.annotations.Nullable;

/// H2 as a server that several sessions write to, by inserts alone.
final class H2ServerDialect extends H2Dialect implements ServerDialect {

  /// Who has which lock; H2 knows none that have names.
  private static final Map<String, SqlSession> LOCKS = new ConcurrentHashMap<>();

  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

  private final boolean renames;

  /// @param renames whether it gives tables other names; else their rows are copied
  H2ServerDialect(boolean renames) {
    this.renames = renames;
  }

  @Override
  public List<String> swap(
      TableName staging, TableName target, @Nullable TableName replaced, TableName old) {
    if (renames) {
      return ServerDialect.super.swap(staging, target, replaced, old);
    }
    String from = staging.sql(names());
    String to = target.sql(names());
    List<String> all = new ArrayList<>();
    if (replaced != null) {
      all.add("DROP TABLE " + to);
    }
    all.add("CREATE TABLE %s AS SELECT * FROM %s WHERE 1 = 0".formatted(to, from));
    // The key of all tables of the suites.
    all.add("ALTER TABLE %s ALTER COLUMN \"id\" SET NOT NULL".formatted(to));
    all.add("ALTER TABLE %s ADD PRIMARY KEY (\"id\")".formatted(to));
    all.add("INSERT INTO %s SELECT * FROM %s".formatted(to, from));
    all.add("DROP TABLE " + from);
    return all;
  }

  @Override
  public String stage(
      TableName staging, TableName like, List<TableInfo.ColumnInfo> columns, List<String> more) {
    List<String> names =
        more.stream().map(each -> "CAST(0 AS BIGINT) AS " + each.replace(" BIGINT", "")).toList();
    return "CREATE TABLE %s AS SELECT %s%s FROM %s WHERE 1 = 0"
        .formatted(
            staging.sql(names()),
            names().quoted(columns.stream().map(TableInfo.ColumnInfo::name).toList()),
            names.isEmpty() ? "" : ", " + String.join(", ", names),
            like.sql(names()));
  }

  @Override
  public LockingRead lockingRead(TableName table) {
    return new LockingRead("", "FOR UPDATE");
  }

  @Override
  public boolean lock(SqlSession session, String name, Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    while (true) {
      SqlSession holder =
          LOCKS.compute(name, (_, had) -> had == null || had.isClosed() ? session : had);
      if (holder == session) {
        return true;
      }
      if (System.nanoTime() > end) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public void unlock(SqlSession session, String name) {
    LOCKS.remove(name, session);
  }

  @Override
  public boolean isFree(SqlSession session, String name) {
    SqlSession holder = LOCKS.get(name);
    return holder == null || holder == session || holder.isClosed();
  }

  @Override
  public MergeStatements merge(MergeTables tables) {
    String sameKey =
        tables.key().stream()
            .map(name -> "old." + name + " = fresh." + name)
            .reduce((one, other) -> one + " AND " + other)
            .orElseThrow();
    String keys = String.join(", ", tables.key());
    String differ =
        tables.others().stream()
            .map(name -> "NOT (" + tables.same(name, "old.", "fresh.") + ")")
            .reduce((one, other) -> one + " OR " + other)
            .orElse("1 = 0");
    String joined =
        "%s fresh JOIN %s old ON %s".formatted(tables.staging(), tables.target(), sameKey);
    String sets =
        tables.others().stream()
            .map(name -> "old.%1$s = fresh.%1$s".formatted(name))
            .reduce((one, other) -> one + ", " + other)
            .orElse("");
    List<String> all = Stream.concat(tables.key().stream(), tables.others().stream()).toList();
    return new MergeStatements(
        // DELETE … WHERE IN would run its query again for each row.
        "MERGE INTO %1$s s USING (SELECT _ROWID_ AS gone, ROW_NUMBER() OVER (PARTITION BY %3$s ORDER BY %2$s DESC) AS n FROM %1$s) late ON s._ROWID_ = late.gone AND late.n > 1 WHEN MATCHED THEN DELETE"
            .formatted(tables.staging(), tables.order(), keys),
        "SELECT count(DISTINCT fresh.%s) FROM %s".formatted(tables.order(), joined),
        "SELECT count(DISTINCT fresh.%s) FROM %s WHERE %s"
            .formatted(tables.order(), joined, differ),
        among ->
            "MERGE INTO %s old USING (SELECT * FROM %s fresh WHERE 1 = 1%s) fresh ON %s WHEN MATCHED AND (%s) THEN UPDATE SET %s"
                .formatted(tables.target(), tables.staging(), among, sameKey, differ, sets),
        among ->
            "INSERT INTO %s (%s) SELECT %s FROM %s fresh WHERE NOT EXISTS (SELECT 1 FROM %s old WHERE %s)%s"
                .formatted(
                    tables.target(),
                    String.join(", ", all),
                    all.stream().map("fresh."::concat).reduce((a, b) -> a + ", " + b).orElseThrow(),
                    tables.staging(),
                    tables.target(),
                    sameKey,
                    among));
  }
}
