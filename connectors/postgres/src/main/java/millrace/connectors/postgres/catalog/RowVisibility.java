package millrace.connectors.postgres.catalog;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;

/// Which rows of a relation a user does not see: those that policies hide, and those that a standby
/// server may not have yet.
public final class RowVisibility {

  private final Session session;

  RowVisibility(Session session) {
    this.session = session;
  }

  /// What policies may hide rows of when a relation is read, one sentence each: of a table itself,
  /// of a view the tables that it reads, also by way of other views. It reads them with its owner's
  /// rights, unless it is a `security_invoker`.
  public List<String> hiddenRows(Relation relation) {
    if (!relation.rowSecurity() && !relation.kind().equals("v")) {
      return List.of();
    }
    return session.query(
        """
        WITH RECURSIVE reads (relation, kind, role) AS (
          SELECT c.oid, c.relkind, me.oid
          FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_roles me ON me.rolname = current_user
          WHERE c.oid = ?::bigint::oid
          UNION
          SELECT below.oid, below.relkind,
            CASE WHEN coalesce((SELECT o.option_value::boolean
                FROM pg_catalog.pg_options_to_table(v.reloptions) o
                WHERE o.option_name = 'security_invoker'), false)
              THEN me.oid ELSE v.relowner END
          FROM reads
          JOIN pg_catalog.pg_class v ON v.oid = reads.relation
          JOIN pg_catalog.pg_rewrite w ON w.ev_class = v.oid AND w.ev_type = '1'
          JOIN pg_catalog.pg_depend d ON d.objid = w.oid AND d.refobjid <> v.oid
            AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
            AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
          JOIN pg_catalog.pg_class below ON below.oid = d.refobjid
          JOIN pg_catalog.pg_roles me ON me.rolname = current_user
          WHERE reads.kind = 'v'
        )
        SELECT n.nspname, c.relname, r.rolname, r.rolname = current_user
        FROM reads
        JOIN pg_catalog.pg_class c ON c.oid = reads.relation
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_roles r ON r.oid = reads.role
        WHERE c.relrowsecurity AND NOT r.rolsuper AND NOT r.rolbypassrls
          AND (c.relforcerowsecurity OR NOT pg_catalog.pg_has_role(r.oid, c.relowner, 'USAGE'))
        ORDER BY 1, 2, 3
        """,
        RowVisibility::hiddenRows,
        relation.oid());
  }

  /// What a standby server may not have yet, in one sentence; nothing if it is none.
  public List<String> missingFromStandby() {
    // A primary server becomes a standby only by a start that ends all connections.
    boolean isPrimary =
        session.known(
            "primary",
            Boolean.class,
            () ->
                session.one("SELECT NOT pg_catalog.pg_is_in_recovery()", row -> row.getBoolean(1)));
    return isPrimary ? List.of() : ofStandby();
  }

  private List<String> ofStandby() {
    return session.query(
        """
        SELECT 'a standby server is read: it may lack what the primary server has committed'
          || coalesce(' since ' || pg_catalog.to_char(
            pg_catalog.pg_last_xact_replay_timestamp(), 'YYYY-MM-DD HH24:MI:SSOF'), ' meanwhile')
        WHERE pg_catalog.pg_is_in_recovery()
        """,
        row -> row.getString(1));
  }

  private static String hiddenRows(ResultSet row) throws SQLException {
    return "row security: only those rows of "
        + new QualifiedName(row.getString(1), row.getString(2), true).label()
        + " are read that its policies show to "
        + (row.getBoolean(4) ? "this user" : row.getString(3) + ", who owns a view of them");
  }

  /// Whether policies of the table apply to this user.
  public boolean hasPolicies(Relation relation) {
    return session.one(
        "SELECT pg_catalog.row_security_active(?::bigint::oid)",
        row -> row.getBoolean(1),
        relation.oid());
  }

  /// What policies may hide rows of when a query is read. The server itself knows: it refuses to
  /// plan what policies would change if it is told that they must not, and names the first table.
  ///
  /// @param from the query as it stands behind FROM; in the session's transaction
  public List<String> hiddenRows(String from) {
    session.execute("SAVEPOINT millrace_policies");
    try {
      session.execute("SET LOCAL row_security = off");
      session.asUser(() -> session.execute("EXPLAIN SELECT FROM " + from));
      return List.of();
    } catch (Fault e) {
      if (!PostgresFaults.lacksRight(e)) {
        throw e;
      }
      return List.of(
          "row security: only those rows are read that policies show (" + e.clause() + ")");
    } finally {
      session.execute("ROLLBACK TO SAVEPOINT millrace_policies");
      // No snapshot can be exported while a savepoint stands.
      session.execute("RELEASE SAVEPOINT millrace_policies");
    }
  }
}
