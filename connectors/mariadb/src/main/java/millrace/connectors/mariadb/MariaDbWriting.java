package millrace.connectors.mariadb;

import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.data.Type;
import millrace.io.Digest;
import org.jspecify.annotations.Nullable;

/// The statements by which MariaDB and MySQL are written to.
final class MariaDbWriting {

  /// What makes tables commits, whatever the server's default engine is.
  static final String TABLE_OPTIONS = "ENGINE=InnoDB";

  static final ServerDialect.BulkLoad LOAD_DATA = new LoadData();

  private MariaDbWriting() {}

  static String stage(
      Names names, TableName staging, TableName like, List<String> columns, List<String> more) {
    return "CREATE TABLE %s %s %s AS SELECT %s FROM %s WHERE 1 = 0"
        .formatted(
            staging.sql(names),
            more.isEmpty() ? "" : "(" + String.join(", ", more) + ")",
            TABLE_OPTIONS,
            names.quoted(columns),
            like.sql(names));
  }

  /// One statement: nobody sees that the table is away.
  static List<String> swap(
      Names names,
      TableName staging,
      TableName target,
      @Nullable TableName replaced,
      TableName old) {
    String take = staging.sql(names) + " TO " + target.sql(names);
    return List.of(
        "RENAME TABLE "
            + (replaced == null
                ? take
                : replaced.sql(names) + " TO " + old.sql(names) + ", " + take));
  }

  /// A name of a lock has at most 64 characters, and the whole server knows it.
  private static String lockName(String name) {
    return "millrace " + Digest.of(name).hex();
  }

  static boolean lock(SqlSession session, String name, Duration wait) {
    String sql = "SELECT GET_LOCK(?, " + wait.toSeconds() + ")";
    return session.query(sql, row -> row.getInt(1), lockName(name)).getFirst() == 1;
  }

  static void unlock(SqlSession session, String name) {
    session.query("SELECT RELEASE_LOCK(?)", row -> row.getInt(1), lockName(name));
  }

  static boolean isFree(SqlSession session, String name) {
    String sql = "SELECT COALESCE(IS_USED_LOCK(?), CONNECTION_ID()) = CONNECTION_ID()";
    return session.query(sql, row -> row.getBoolean(1), lockName(name)).getFirst();
  }

  /// Keys are compared as the target's columns compare them; other values to the last letter.
  static ServerDialect.MergeStatements merge(ServerDialect.MergeTables tables) {
    List<String> key = tables.key();
    List<String> others = tables.others();
    String order = "fresh." + tables.order();
    String sameKey = each(key, "old.%1$s = fresh.%1$s", " AND ");
    String differ = each(others, "NOT (BINARY old.%1$s <=> BINARY fresh.%1$s)", " OR ");
    String joined =
        "%s fresh JOIN %s old ON %s".formatted(tables.staging(), tables.target(), sameKey);
    String last =
        "SELECT %s, max(%s) AS millrace_last FROM %s GROUP BY %s"
            .formatted(
                String.join(", ", key), tables.order(), tables.staging(), String.join(", ", key));
    List<String> all = Stream.concat(key.stream(), others.stream()).toList();
    return new ServerDialect.MergeStatements(
        "DELETE fresh FROM %s fresh JOIN (%s) later ON %s AND %s < later.millrace_last"
            .formatted(
                tables.staging(), last, each(key, "later.%1$s = fresh.%1$s", " AND "), order),
        "SELECT count(DISTINCT %s) FROM %s".formatted(order, joined),
        "SELECT count(DISTINCT %s) FROM %s WHERE %s".formatted(order, joined, differ),
        among ->
            "UPDATE %s SET %s WHERE (%s)%s"
                .formatted(joined, each(others, "old.%1$s = fresh.%1$s", ", "), differ, among),
        among ->
            "INSERT INTO %s (%s) SELECT %s FROM %s fresh LEFT JOIN %s old ON %s WHERE old.%s IS NULL%s"
                .formatted(
                    tables.target(),
                    String.join(", ", all),
                    each(all, "fresh.%1$s", ", "),
                    tables.staging(),
                    tables.target(),
                    sameKey,
                    key.getFirst(),
                    among));
  }

  private static String each(List<String> columns, String sql, String between) {
    return columns.stream()
        .map(column -> sql.replace("%1$s", column))
        .collect(Collectors.joining(between));
  }

  /// Whether the server allows `LOAD DATA LOCAL INFILE`.
  static boolean mayLoad(SqlSession session) {
    return session.query("SELECT @@GLOBAL.local_infile", row -> row.getBoolean(1)).getFirst();
  }

  /// `LOAD DATA LOCAL INFILE` from a stream. It takes what it can and warns of the rest, so its
  /// rows and warnings are counted.
  private static final class LoadData implements ServerDialect.BulkLoad {

    @Override
    public String expression(Type type, String declared) {
      String loaded = MariaDbTypes.loaded(declared);
      return loaded.equals("%s") ? "" : loaded;
    }

    @Override
    public long load(
        SqlSession session,
        Connection connection,
        String table,
        List<Target> columns,
        InputStream rows)
        throws SQLException {
      StringBuilder into = new StringBuilder();
      StringBuilder sets = new StringBuilder();
      for (int i = 0; i < columns.size(); i++) {
        Target column = columns.get(i);
        boolean plain = column.expression().isEmpty();
        into.append(i == 0 ? "" : ", ").append(plain ? column.name() : "@millrace_" + i);
        if (!plain) {
          sets.append(sets.isEmpty() ? " SET " : ", ")
              .append(column.name())
              .append(" = ")
              .append(column.expression().replace("%s", "@millrace_" + i));
        }
      }
      String sql =
          "LOAD DATA LOCAL INFILE 'millrace' INTO TABLE "
              + table
              + " CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\'"
              + " LINES TERMINATED BY '\\n' ("
              + into
              + ")"
              + sets;
      try (org.mariadb.jdbc.Statement statement =
          connection.createStatement().unwrap(org.mariadb.jdbc.Statement.class)) {
        session.runs(statement);
        statement.setLocalInfileInputStream(rows);
        long taken = statement.executeLargeUpdate(sql);
        try (ResultSet warnings = statement.executeQuery("SELECT @@warning_count")) {
          return warnings.next() && warnings.getLong(1) == 0 ? taken : -1;
        }
      }
    }
  }
}
