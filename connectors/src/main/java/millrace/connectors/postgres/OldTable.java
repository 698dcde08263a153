package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;

/// The table that a replace puts a new one in the place of: what hangs on it, and what the new one
/// takes over from it.
final class OldTable {

  /// What helps where a table can be neither replaced nor truncated.
  static final String KEEP_REFERENCES =
      "Use --mode merge, or drop the foreign keys and make them again after the copy.";

  private final Relation relation;
  private final TableName name;
  private final String comment;

  OldTable(Session session, Relation relation) {
    this.relation = relation;
    name = relation.name();
    comment =
        session.one(
            "SELECT coalesce(pg_catalog.obj_description(?::bigint::oid, 'pg_class'), '')",
            row -> row.getString(1),
            relation.oid());
  }

  Relation relation() {
    return relation;
  }

  /// The comment on the table; empty where it has none.
  String comment() {
    return comment;
  }

  /// Refuses a table that others depend on, naming them.
  ///
  /// @throws Fault.User where it can't be dropped
  void checkDroppable(Session session) {
    if (!relation.kind().equals("r") || relation.hasChildren() || isChild(session)) {
      throw new Fault.User(
          name.label()
              + " is "
              + (relation.kind().equals("r")
                  ? "part of a family of tables"
                  : "a " + relation.kindLabel())
              + ", which can't be replaced by a plain table.",
          "Use --mode truncate, which keeps it.");
    }
    List<String> references = new Catalog(session).foreignKeysTo(relation);
    List<String> dependents = new ArrayList<>(references);
    dependents.addAll(
        session.query(
            """
            SELECT DISTINCT 'view ' || r.ev_class::regclass::text
            FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
            WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = ?::bigint::oid
              AND d.refclassid = 'pg_class'::regclass AND r.ev_class <> d.refobjid
            ORDER BY 1
            """,
            row -> row.getString(1),
            relation.oid()));
    if (!dependents.isEmpty()) {
      throw new Fault.User(
          name.label() + " can't be replaced: " + Catalog.list(dependents) + " would lose it.",
          references.isEmpty() ? "Use --mode truncate, which keeps the table." : KEEP_REFERENCES);
    }
  }

  private boolean isChild(Session session) {
    return !session
        .query(
            "SELECT 1 FROM pg_catalog.pg_inherits WHERE inhrelid = ?::bigint::oid",
            row -> row.getInt(1),
            relation.oid())
        .isEmpty();
  }

  /// What the new table will not have, one sentence each.
  ///
  /// @param likeOld whether the new table is made like the old one
  List<String> losses(Session session, boolean likeOld) {
    List<String> losses = new ArrayList<>();
    loss(
        session,
        losses,
        "trigger",
        "SELECT tgname FROM pg_catalog.pg_trigger WHERE tgrelid = ?::bigint::oid AND NOT"
            + " tgisinternal ORDER BY 1");
    loss(
        session,
        losses,
        "foreign key",
        "SELECT conname FROM pg_catalog.pg_constraint WHERE conrelid = ?::bigint::oid AND contype ="
            + " 'f' ORDER BY 1");
    loss(
        session,
        losses,
        "row security policy",
        "SELECT polname FROM pg_catalog.pg_policy WHERE polrelid = ?::bigint::oid ORDER BY 1");
    loss(
        session,
        losses,
        "publication",
        "SELECT p.pubname FROM pg_catalog.pg_publication_rel r JOIN pg_catalog.pg_publication p ON"
            + " p.oid = r.prpubid WHERE r.prrelid = ?::bigint::oid ORDER BY 1");
    loss(
        session,
        losses,
        "rule",
        "SELECT rulename FROM pg_catalog.pg_rewrite WHERE ev_class = ?::bigint::oid ORDER BY 1");
    loss(
        session,
        losses,
        "setting",
        """
        SELECT s.name
        FROM pg_catalog.pg_class c
        CROSS JOIN LATERAL (
          SELECT 'ENABLE ROW LEVEL SECURITY' WHERE c.relrowsecurity
          UNION ALL SELECT 'FORCE ROW LEVEL SECURITY' WHERE c.relforcerowsecurity
          UNION ALL SELECT 'REPLICA IDENTITY' WHERE c.relreplident <> 'd'
          UNION ALL SELECT unnest(c.reloptions)) AS s(name)
        WHERE c.oid = ?::bigint::oid
        """);
    if (!likeOld) {
      loss(
          session,
          losses,
          "index",
          "SELECT c.relname FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid ="
              + " i.indexrelid WHERE i.indrelid = ?::bigint::oid AND NOT i.indisprimary ORDER BY"
              + " 1");
      loss(
          session,
          losses,
          "check",
          "SELECT conname FROM pg_catalog.pg_constraint WHERE conrelid = ?::bigint::oid AND contype"
              + " = 'c' ORDER BY 1");
      losses.add(
          "defaults, grants and comments of the old table go with it, because its columns differ");
    }
    return losses;
  }

  private void loss(Session session, List<String> losses, String what, String sql) {
    List<String> names = session.query(sql, row -> row.getString(1), relation.oid());
    if (!names.isEmpty()) {
      losses.add("the new table will not have the old one's " + what + " " + Catalog.list(names));
    }
  }

  /// Gives the new table what belongs to the old one: sequences and where they stand, owner,
  /// rights.
  void handOver(Session session, TableName staging) {
    // The owner first: a sequence and its table must have one owner.
    List<String> statements = new ArrayList<>(owner(session, staging));
    statements.addAll(sequences(session, staging));
    statements.addAll(rights(session, staging));
    statements.forEach(session::execute);
  }

  private List<String> sequences(Session session, TableName staging) {
    List<String> statements = new ArrayList<>();
    session.query(
        """
        SELECT n.nspname, s.relname, a.attname, d.deptype::text
        FROM pg_catalog.pg_depend d
        JOIN pg_catalog.pg_class s ON s.oid = d.objid AND s.relkind = 'S'
        JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace
        JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
          AND d.refobjid = ?::bigint::oid AND d.deptype IN ('a', 'i')
        """,
        row -> {
          String sequence = new TableName(row.getString(1), row.getString(2), true).sql();
          String column = row.getString(3);
          return statements.add(
              row.getString(4).equals("a")
                  ? "ALTER SEQUENCE "
                      + sequence
                      + " OWNED BY "
                      + staging.sql()
                      + "."
                      + Sql.name(column)
                  : "SELECT pg_catalog.setval(pg_catalog.pg_get_serial_sequence("
                      + Sql.text(staging.sql())
                      + ", "
                      + Sql.text(column)
                      + "), last_value, is_called) FROM "
                      + sequence);
        },
        relation.oid());
    return statements;
  }

  private List<String> rights(Session session, TableName staging) {
    List<String> statements = new ArrayList<>();
    session.query(
        """
        SELECT DISTINCT a.grantee::regrole::text, a.grantee = 0
        FROM pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) a
        WHERE c.oid = pg_catalog.to_regclass(?) AND a.grantee <> c.relowner
        """,
        row ->
            statements.add(
                "REVOKE ALL ON "
                    + staging.sql()
                    + " FROM "
                    + (row.getBoolean(2) ? "PUBLIC" : row.getString(1))),
        staging.sql());
    session.query(
        """
        SELECT a.privilege_type, '', a.grantee::regrole::text, a.grantee = 0, a.is_grantable
        FROM pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) a
        WHERE c.oid = ?::bigint::oid AND a.grantee <> c.relowner
        UNION ALL
        SELECT a.privilege_type, t.attname, a.grantee::regrole::text, a.grantee = 0, a.is_grantable
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid,
          pg_catalog.aclexplode(t.attacl) a
        WHERE c.oid = ?::bigint::oid AND a.grantee <> c.relowner AND NOT t.attisdropped
        """,
        row ->
            statements.add(
                "GRANT "
                    + row.getString(1)
                    + (row.getString(2).isEmpty() ? "" : " (" + Sql.name(row.getString(2)) + ")")
                    + " ON "
                    + staging.sql()
                    + " TO "
                    + (row.getBoolean(4) ? "PUBLIC" : row.getString(3))
                    + (row.getBoolean(5) ? " WITH GRANT OPTION" : "")),
        relation.oid(),
        relation.oid());
    return statements;
  }

  private List<String> owner(Session session, TableName staging) {
    return session.query(
        """
        SELECT relowner::regrole::text FROM pg_catalog.pg_class
        WHERE oid = ?::bigint::oid AND relowner <> current_user::regrole
        """,
        row -> "ALTER TABLE " + staging.sql() + " OWNER TO " + row.getString(1),
        relation.oid());
  }
}
