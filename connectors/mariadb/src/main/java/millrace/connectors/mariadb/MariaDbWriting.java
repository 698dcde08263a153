package millrace.connectors.mariadb;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.io.Digest;
import org.jspecify.annotations.Nullable;

/// The statements by which MariaDB and MySQL are written to.
final class MariaDbWriting {

  /// What makes tables commits, whatever the server's default engine is.
  static final String TABLE_OPTIONS = "ENGINE=InnoDB";

  /// A backslash is no letter of a text.
  static final CommentStyle COMMENTS =
      new CommentStyle(
          CommentStyle.Place.DECLARATIONS, 1024, text -> Names.text(text.replace("\\", "\\\\")));

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

  /// Keys are compared as the target's columns compare them; the rest by the equality of the
  /// tables.
  static ServerDialect.MergeStatements merge(ServerDialect.MergeTables tables) {
    List<String> key = tables.key();
    List<String> others = tables.others();
    String order = "fresh." + tables.order();
    String sameKey = each(key, "old.%1$s = fresh.%1$s", " AND ");
    String differ =
        others.stream()
            .map(name -> "NOT (" + tables.same(name, "old.", "fresh.") + ")")
            .collect(Collectors.joining(" OR "));
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
}
