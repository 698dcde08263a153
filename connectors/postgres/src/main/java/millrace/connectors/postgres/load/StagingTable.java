package millrace.connectors.postgres.load;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.write.StagingName;

/// The table in which rows wait until all are there. It stands in the target's schema, and its name
/// and comment say what it is, so that what a killed run left behind can be told and dropped.
public final class StagingTable {

  /// How long dropping waits for a lane's connection to let go of the table.
  public static final String LOCK_TIMEOUT = "SET lock_timeout = '20s'";

  private StagingTable() {}

  /// A name for the staging table of a target: `orders_millrace_0a1b2c3d`.
  static QualifiedName nameFor(QualifiedName target, int nameBytesMax) {
    return new QualifiedName(
        target.schema(), StagingName.unique(target.name(), nameBytesMax), true);
  }

  /// The staging tables of a target whose name nobody else's table begins with, in whatever schema.
  public static List<QualifiedName> of(Session session, QualifiedName target) {
    return session.query(
        "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c"
            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE c.relkind = 'r' AND pg_catalog.starts_with(c.relname, ?)",
        row -> new QualifiedName(row.getString(1), row.getString(2), true),
        target.name() + StagingName.MARK);
  }

  /// Writes on the table what it is.
  static void label(Session session, QualifiedName staging, QualifiedName target) {
    String comment =
        "Rows on their way into "
            + target.label()
            + ", put here by millrace since "
            + LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS)
            + " UTC; to be dropped where that run is no more.";
    session.execute("COMMENT ON TABLE " + staging.sql() + " IS " + PostgresSql.text(comment));
  }

  /// Takes that off a table that is one no more.
  static void unlabel(Session session, QualifiedName staging, String comment) {
    session.execute(
        "COMMENT ON TABLE "
            + staging.sql()
            + " IS "
            + (comment.isEmpty() ? "NULL" : PostgresSql.text(comment)));
  }

  /// Makes a staging table for rows that are inserted from there: columns of the types and
  /// collations of the target's, so that values are equal here if they are equal there, without its
  /// constraints, and no write-ahead log, because a run that the server did not survive is over.
  ///
  /// @param needed the columns that every row must have a value in
  static void create(
      Session session,
      QualifiedName staging,
      QualifiedName target,
      List<LoadColumn> slots,
      List<String> needed,
      List<String> placeColumns) {
    Map<String, String> collations = new PostgresCatalog(session).collations(target);
    String columns =
        slots.stream()
            .map(loadColumn ->
                PostgresSql.name(loadColumn.name())
                    + " "
                    + loadColumn.type().declared()
                    + collations.getOrDefault(loadColumn.name(), "")
                    + (needed.contains(loadColumn.name()) ? " NOT NULL" : ""))
            .collect(Collectors.joining(", "));
    String place =
        placeColumns.isEmpty()
            ? ""
            : ", "
                + PostgresSql.name(placeColumns.getFirst())
                + " integer, "
                + PostgresSql.name(placeColumns.getLast())
                + " bigint";
    session.execute("CREATE UNLOGGED TABLE " + staging.sql() + " (" + columns + place + ")");
    label(session, staging, target);
  }

  /// Takes all keys and indexes away.
  static void dropIndexes(Session session, QualifiedName staging) {
    String query =
        """
        SELECT c.relname, k.conname FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
        LEFT JOIN pg_catalog.pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid
          AND k.contype IN ('p', 'u', 'x')
        WHERE i.indrelid = pg_catalog.to_regclass(?)
        """;
    List<String> drops =
        session.query(
            query,
            row ->
                row.getString(2) == null
                    ? "DROP INDEX "
                        + new QualifiedName(staging.schema(), row.getString(1), true).sql()
                    : "ALTER TABLE "
                        + staging.sql()
                        + " DROP CONSTRAINT "
                        + PostgresSql.name(row.getString(2)),
            staging.sql());
    drops.forEach(session::execute);
  }

  public static void drop(Session session, QualifiedName staging) {
    session.execute("DROP TABLE IF EXISTS " + staging.sql());
  }
}
