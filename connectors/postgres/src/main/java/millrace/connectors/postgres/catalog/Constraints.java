package millrace.connectors.postgres.catalog;

import java.util.List;
import millrace.connectors.postgres.net.Session;

/// What a table asks of the rows that come into it, and does with them: keys, foreign keys, unique
/// indexes, triggers and rules.
public final class Constraints {

  /// Bits of `tgtype` in src/include/catalog/pg_trigger.h.
  private static final int TRIGGER_INSERT = 4;

  private static final int TRIGGER_UPDATE = 16;

  private final Session session;

  Constraints(Session session) {
    this.session = session;
  }

  /// The names of the primary key's columns, in key order.
  public List<String> key(Relation relation) {
    return session.query(
        """
        SELECT a.attname
        FROM pg_catalog.pg_index i
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE i.indrelid = ?::bigint::oid AND i.indisprimary AND k.place <= i.indnkeyatts
        ORDER BY k.place
        """,
        row -> row.getString(1),
        relation.oid());
  }

  /// The foreign keys of other tables that refer to this one; its partitions, and what inherits
  /// from it, are part of it.
  public List<String> foreignKeysTo(Relation relation) {
    return session.query(
        """
        WITH RECURSIVE its(oid) AS (
          SELECT ?::bigint::oid
          UNION SELECT inhrelid FROM pg_catalog.pg_inherits JOIN its ON inhparent = its.oid)
        SELECT 'foreign key ' || quote_ident(conname) || ' of ' || conrelid::regclass::text
        FROM pg_catalog.pg_constraint
        WHERE confrelid = ?::bigint::oid AND contype = 'f' AND conrelid NOT IN (SELECT oid FROM its)
        ORDER BY 1
        """,
        row -> row.getString(1),
        relation.oid(),
        relation.oid());
  }

  /// The name of the primary key's constraint.
  public String keyName(QualifiedName table) {
    return session.one(
        """
        SELECT conname FROM pg_catalog.pg_constraint
        WHERE conrelid = pg_catalog.to_regclass(?) AND contype = 'p'
        """,
        row -> row.getString(1),
        table.sql());
  }

  /// Whether triggers run before the insertion of a row, into the relation or its partitions.
  public boolean hasInsertTriggers(Relation relation) {
    return hasRowTriggers(relation, TRIGGER_INSERT);
  }

  /// Whether triggers run before the insertion or the update of a row.
  public boolean hasMergeTriggers(Relation relation) {
    return hasRowTriggers(relation, TRIGGER_INSERT | TRIGGER_UPDATE);
  }

  /// What the server does for each row besides storing it.
  ///
  /// @param indexes how many it keeps up
  /// @param triggers the names of those that it runs
  /// @param foreignKeys the names of those that it checks
  public record Upkeep(long indexes, List<String> triggers, List<String> foreignKeys) {}

  /// What is done for each row that is inserted.
  public Upkeep upkeep(Relation relation) {
    return session.one(
        PostgresCatalog.tree(relation)
            + """
            SELECT
              coalesce((
                SELECT max(indexes) FROM (
                  SELECT count(*) AS indexes
                  FROM pg_catalog.pg_index i JOIN tree t ON i.indrelid = t.oid
                  WHERE i.indisready GROUP BY i.indrelid) each), 0),
              ARRAY(
                SELECT DISTINCT g.tgname::text
                FROM pg_catalog.pg_trigger g JOIN tree t ON g.tgrelid = t.oid
                WHERE NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & 1 = 1
                  AND g.tgtype & ? <> 0
                ORDER BY 1),
              ARRAY(
                SELECT DISTINCT c.conname::text
                FROM pg_catalog.pg_constraint c JOIN tree t ON c.conrelid = t.oid
                WHERE c.contype = 'f'
                ORDER BY 1)
            """,
        row ->
            new Upkeep(
                row.getLong(1),
                List.of((String[]) row.getArray(2).getArray()),
                List.of((String[]) row.getArray(3).getArray())),
        relation.oid(),
        TRIGGER_INSERT);
  }

  private boolean hasRowTriggers(Relation relation, int events) {
    return session.one(
        PostgresCatalog.tree(relation)
            + """
            SELECT EXISTS (
              SELECT FROM pg_catalog.pg_trigger g JOIN tree t ON g.tgrelid = t.oid
              WHERE NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & 3 = 3
                AND g.tgtype & ? <> 0)
            """,
        row -> row.getBoolean(1),
        relation.oid(),
        events);
  }

  /// Whether rules rewrite statements that insert or update rows.
  public boolean hasMergeRules(Relation relation) {
    return session.one(
        """
        SELECT EXISTS (
          SELECT FROM pg_catalog.pg_rewrite
          WHERE ev_class = ?::bigint::oid AND ev_type IN ('2', '3') AND ev_enabled <> 'D')
        """,
        row -> row.getBoolean(1),
        relation.oid());
  }

  /// Whether a unique index stands on exactly these columns that can tell which rows exist: one of
  /// another collation than its column's takes other values for the same.
  public boolean isUnique(Relation relation, List<String> columns) {
    List<List<String>> indexes =
        session.query(
            """
            SELECT array_agg(a.attname::text)
            FROM pg_catalog.pg_index i
            CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(number, place)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
            WHERE i.indrelid = ?::bigint::oid AND i.indisunique AND i.indimmediate AND i.indisvalid
              AND i.indpred IS NULL AND i.indexprs IS NULL AND k.place <= i.indnkeyatts
            GROUP BY i.indexrelid
            HAVING bool_and(i.indcollation[k.place::int - 1] = a.attcollation)
            """,
            row -> List.of((String[]) row.getArray(1).getArray()),
            relation.oid());
    return indexes.stream()
        .anyMatch(index -> index.size() == columns.size() && index.containsAll(columns));
  }
}
