package millrace.connectors.mariadb;

import java.time.Duration;
import java.util.List;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.MergeTables;
import millrace.connectors.sql.MergeTables.MergeStatements;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes;
import millrace.io.Digest;
import org.jspecify.annotations.Nullable;

/// The statements by which MariaDB and MySQL are written to.
record MariaDbWriting(Dialect.Profile profile) implements Writes, Locks {

  /// What makes tables commits, whatever the server's default engine is.
  static final String TABLE_OPTIONS = "ENGINE=InnoDB";

  /// A backslash is no letter of a text.
  private static final CommentStyle COMMENTS =
      new CommentStyle(
          CommentStyle.Location.DECLARATIONS, 1024, text -> Names.text(text.replace("\\", "\\\\")));

  private Names names() {
    return profile.names();
  }

  @Override
  public CommentStyle commentStyle() {
    return COMMENTS;
  }

  /// Collations take texts for one that are not the same to the last letter.
  @Override
  public Equality equality(
      SqlSession session, TableName table, TableInfo found, List<ColumnInfo> key) {
    return Equality.of(key, _ -> "BINARY %s <=> BINARY %s");
  }

  @Override
  public String keyed(String declared, int columns) {
    return MariaDbTypes.keyed(declared, columns);
  }

  /// Columns keep their collations.
  @Override
  public String stage(
      TableName staging, TableName like, List<ColumnInfo> columns, List<String> more) {
    return "CREATE TABLE %s %s %s AS SELECT %s FROM %s WHERE 1 = 0"
        .formatted(
            staging.sql(names()),
            more.isEmpty() ? "" : "(" + String.join(", ", more) + ")",
            TABLE_OPTIONS,
            names().quoted(columns.stream().map(ColumnInfo::name).toList()),
            like.sql(names()));
  }

  /// One statement: nobody sees that the table is away.
  @Override
  public List<String> swap(
      TableName staging, TableName target, @Nullable TableName replaced, TableName old) {
    String take = staging.sql(names()) + " TO " + target.sql(names());
    return List.of(
        "RENAME TABLE "
            + (replaced == null
                ? take
                : replaced.sql(names()) + " TO " + old.sql(names()) + ", " + take));
  }

  @Override
  public LockingRead lockingRead(TableName table) {
    return new LockingRead("", "FOR UPDATE");
  }

  /// A name of a lock has at most 64 characters, and the whole server knows it.
  private static String lockName(String name) {
    return "millrace " + Digest.of(name).hex();
  }

  @Override
  public boolean lock(SqlSession session, String name, Duration wait) {
    String sql = "SELECT GET_LOCK(?, " + wait.toSeconds() + ")";
    return session.query(sql, row -> row.getInt(1), lockName(name)).getFirst() == 1;
  }

  @Override
  public void unlock(SqlSession session, String name) {
    session.query("SELECT RELEASE_LOCK(?)", row -> row.getInt(1), lockName(name));
  }

  @Override
  public boolean isFree(SqlSession session, String name) {
    String sql = "SELECT COALESCE(IS_USED_LOCK(?), CONNECTION_ID()) = CONNECTION_ID()";
    return session.query(sql, row -> row.getBoolean(1), lockName(name)).getFirst();
  }

  /// There is no MERGE, and no statement but a join reads the table that it changes.
  @Override
  public MergeStatements merge(MergeTables tables) {
    String key = MergeTables.each(tables.key(), "%1$s");
    String last =
        "SELECT %s, max(%s) AS millrace_last FROM %s GROUP BY %s"
            .formatted(key, tables.order(), tables.staging(), key);
    String set = MergeTables.each(tables.others(), "old.%1$s = fresh.%1$s");
    return new MergeStatements(
        "DELETE fresh FROM %s fresh JOIN (%s) later ON %s AND fresh.%s < later.millrace_last"
            .formatted(tables.staging(), last, tables.sameKey("later.", "fresh."), tables.order()),
        among ->
            "UPDATE %s SET %s WHERE %s%s".formatted(tables.joined(), set, tables.differ(), among),
        tables.statements().insert());
  }
}
