package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.Session;
import org.jspecify.annotations.Nullable;

/// What a table made like another gets from it when it takes its place: all that a dump of the old
/// one's definition holds and `CREATE TABLE (LIKE … INCLUDING ALL)` does not copy, but for its
/// indexes, which are copied before, and for what {@link OldTable#losses} names.
///
/// @param before statements for the time when the old table still stands
/// @param after statements in the names that hold once the new one has taken its place
record SwapDdl(List<String> before, List<String> after) {

  /// The old table, and those of its indexes that the new one has too.
  private static final String OLD =
      """
      WITH old AS (
        SELECT c.*, format('%I.%I', n.nspname, c.relname) AS name
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = ?::bigint::oid),
      its AS (
        SELECT i.*, c.oid, c.relname, c.reloptions, format('%I.%I', n.nspname, c.relname) AS name
        FROM old JOIN pg_index i ON i.indrelid = old.oid AND i.indisvalid
        JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace)
      """;

  /// A sequence of the old table.
  ///
  /// @param column that it belongs to
  /// @param made what the server has made for the new table in its stead, ready to stand in a
  ///   statement; null if the new one takes the sequence over
  private record Sequence(
      long oid, String name, String sql, String column, @Nullable String made) {}

  /// Works them out, of both tables as they are now.
  ///
  /// @param staging the new table's name until it takes the place
  static SwapDdl of(Session session, Relation old, QualifiedName staging) {
    return session.withQualifiedNames(() -> {
      List<String> before = new ArrayList<>();
      List<String> after = new ArrayList<>();
      // The owner first: a sequence and its table must have one owner.
      before.addAll(owner(session, old, staging));
      after.addAll(rights(session, "TABLE", old.oid(), old.name().sql(), staging.sql()));
      sequences(session, old, staging)
          .forEach(sequence -> handOver(session, sequence, staging, before, after));
      after.addAll(columns(session, old));
      after.addAll(indexes(session, old));
      after.addAll(statistics(session, old));
      after.addAll(comments(session, old));
      return new SwapDdl(before, after);
    });
  }

  private static List<String> owner(Session session, Relation old, QualifiedName staging) {
    return session.query(
        """
        SELECT relowner::regrole::text FROM pg_class
        WHERE oid = ?::bigint::oid AND relowner <> current_user::regrole
        """,
        row -> "ALTER TABLE " + staging.sql() + " OWNER TO " + row.getString(1),
        old.oid());
  }

  private static List<Sequence> sequences(Session session, Relation old, QualifiedName staging) {
    return session.query(
        """
        SELECT s.oid::bigint, s.relname, format('%I.%I', n.nspname, s.relname), a.attname,
          CASE d.deptype WHEN 'i' THEN pg_get_serial_sequence(?, a.attname) END
        FROM pg_depend d
        JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
        JOIN pg_namespace n ON n.oid = s.relnamespace
        JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
          AND d.refobjid = ?::bigint::oid AND d.deptype IN ('a', 'i')
        """,
        row ->
            new Sequence(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5)),
        staging.sql(),
        old.oid());
  }

  /// A column's own goes with the old table, and that of the new one gets what it had; any other
  /// passes to the new table as it is.
  private static void handOver(
      Session session,
      Sequence sequence,
      QualifiedName staging,
      List<String> before,
      List<String> after) {
    if (sequence.made == null) {
      before.add(
          "ALTER SEQUENCE "
              + sequence.sql
              + " OWNED BY "
              + staging.sql()
              + "."
              + PostgresSql.name(sequence.column));
      return;
    }
    before.add(
        "SELECT pg_catalog.setval("
            + PostgresSql.text(sequence.made)
            + ", last_value, is_called) FROM "
            + sequence.sql);
    after.add("ALTER SEQUENCE " + sequence.made + " RENAME TO " + PostgresSql.name(sequence.name));
    after.addAll(rights(session, "SEQUENCE", sequence.oid, sequence.sql, sequence.made));
    after.addAll(
        session.query(
            """
            SELECT description FROM pg_description
            WHERE classoid = 'pg_class'::regclass AND objoid = ?::bigint::oid
            """,
            row ->
                "COMMENT ON SEQUENCE " + sequence.sql + " IS " + PostgresSql.text(row.getString(1)),
            sequence.oid));
  }

  /// Takes away what default privileges gave on what was made, and gives what was given on the old.
  ///
  /// @param kind of both, as in GRANT
  /// @param name that what was made will have
  /// @param made its name now
  private static List<String> rights(
      Session session, String kind, long oid, String name, String made) {
    String on = " ON " + kind + " " + name;
    List<String> statements =
        session.query(
            """
            SELECT DISTINCT a.grantee::regrole::text, a.grantee = 0
            FROM pg_class c, aclexplode(c.relacl) a
            WHERE c.oid = to_regclass(?) AND a.grantee <> c.relowner
            """,
            row -> "REVOKE ALL" + on + " FROM " + (row.getBoolean(2) ? "PUBLIC" : row.getString(1)),
            made);
    statements.addAll(
        session.query(
            """
            SELECT a.privilege_type, '', a.grantee::regrole::text, a.grantee = 0, a.is_grantable
            FROM pg_class c, aclexplode(c.relacl) a
            WHERE c.oid = ?::bigint::oid AND a.grantee <> c.relowner
            UNION ALL
            SELECT a.privilege_type, t.attname, a.grantee::regrole::text, a.grantee = 0,
              a.is_grantable
            FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
            WHERE c.oid = ?::bigint::oid AND a.grantee <> c.relowner AND NOT t.attisdropped
            """,
            row ->
                "GRANT "
                    + row.getString(1)
                    + (row.getString(2).isEmpty()
                        ? ""
                        : " (" + PostgresSql.name(row.getString(2)) + ")")
                    + on
                    + " TO "
                    + (row.getBoolean(4) ? "PUBLIC" : row.getString(3))
                    + (row.getBoolean(5) ? " WITH GRANT OPTION" : ""),
            oid,
            oid));
    return statements;
  }

  /// What the planner is told of the values of columns, and of expressions in indexes.
  private static List<String> columns(Session session, Relation old) {
    return statements(
        session,
        old,
        """
        SELECT format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s',
          old.name, a.attname, a.attstattarget)
        FROM old JOIN pg_attribute a ON a.attrelid = old.oid AND a.attnum > 0
        WHERE NOT a.attisdropped AND a.attstattarget >= 0
        UNION ALL
        SELECT format('ALTER TABLE %s ALTER COLUMN %I SET (%s)',
          old.name, a.attname, array_to_string(a.attoptions, ', '))
        FROM old JOIN pg_attribute a ON a.attrelid = old.oid AND a.attnum > 0
        WHERE NOT a.attisdropped AND a.attoptions IS NOT NULL
        UNION ALL
        SELECT format('ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s',
          its.name, a.attnum, a.attstattarget)
        FROM its JOIN pg_attribute a ON a.attrelid = its.oid
        WHERE a.attstattarget >= 0
        """);
  }

  /// What the table has by an index, and what an exclusion constraint's definition does not say.
  private static List<String> indexes(Session session, Relation old) {
    return statements(
        session,
        old,
        """
        SELECT format('ALTER TABLE %s CLUSTER ON %I', old.name, its.relname)
        FROM old, its
        WHERE its.indisclustered
        UNION ALL
        SELECT format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', old.name, its.relname)
        FROM old, its
        WHERE its.indisreplident
        UNION ALL
        SELECT format('ALTER TABLE %s REPLICA IDENTITY %s', old.name,
          CASE old.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END)
        FROM old
        WHERE old.relreplident IN ('f', 'n')
        UNION ALL
        SELECT format('ALTER INDEX %s SET (%s)', its.name, array_to_string(its.reloptions, ', '))
        FROM its
        WHERE its.indisexclusion AND its.reloptions IS NOT NULL
        """);
  }

  /// Statistics over several columns. They are made when those of the old table are gone, by their
  /// own definitions.
  private static List<String> statistics(Session session, Relation old) {
    return statements(
        session,
        old,
        """
        , objects AS (
          SELECT s.*, format('%I.%I', n.nspname, s.stxname) AS name,
            (to_jsonb(s) ->> 'stxstattarget')::int AS target
          FROM old JOIN pg_statistic_ext s ON s.stxrelid = old.oid
          JOIN pg_namespace n ON n.oid = s.stxnamespace)
        SELECT pg_get_statisticsobjdef(oid) FROM objects
        UNION ALL
        SELECT format('ALTER STATISTICS %s SET STATISTICS %s', name, target)
        FROM objects WHERE target >= 0
        UNION ALL
        SELECT format('COMMENT ON STATISTICS %s IS %L', name,
          obj_description(oid, 'pg_statistic_ext'))
        FROM objects WHERE obj_description(oid, 'pg_statistic_ext') IS NOT NULL
        UNION ALL
        SELECT format('ALTER STATISTICS %s OWNER TO %s', name, stxowner::regrole)
        FROM objects WHERE stxowner <> current_user::regrole
        """);
  }

  /// Those on columns and checks have been copied with them.
  private static List<String> comments(Session session, Relation old) {
    return statements(
        session,
        old,
        """
        SELECT format('COMMENT ON TABLE %s IS %L', name, obj_description(oid, 'pg_class'))
        FROM old WHERE obj_description(oid, 'pg_class') IS NOT NULL
        UNION ALL
        SELECT format('COMMENT ON INDEX %s IS %L', name, obj_description(oid, 'pg_class'))
        FROM its WHERE obj_description(oid, 'pg_class') IS NOT NULL
        UNION ALL
        SELECT format('COMMENT ON CONSTRAINT %I ON %s IS %L', k.conname, old.name,
          obj_description(k.oid, 'pg_constraint'))
        FROM old JOIN pg_constraint k ON k.conrelid = old.oid AND k.contype IN ('p', 'u', 'x')
        WHERE obj_description(k.oid, 'pg_constraint') IS NOT NULL
        """);
  }

  private static List<String> statements(Session session, Relation old, String query) {
    return session.query(OLD + query, row -> row.getString(1), old.oid());
  }
}
