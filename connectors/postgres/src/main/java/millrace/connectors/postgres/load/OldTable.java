package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// The table that a replace puts a new one in the place of: what hangs on it, and what the new one
/// takes over from it.
final class OldTable {

  /// What helps if a table can be neither replaced nor truncated.
  static final String KEEP_REFERENCES =
      "Use --mode merge, or drop the foreign keys and make them again after the copy.";

  /// The tablespace of a relation `c`; the database's own if this user may put nothing there.
  static final String TABLESPACE =
      """
      (SELECT CASE
         WHEN s.oid = d.dattablespace OR pg_catalog.has_tablespace_privilege(s.oid, 'CREATE')
         THEN s.spcname
         ELSE (SELECT spcname FROM pg_catalog.pg_tablespace WHERE oid = d.dattablespace) END
       FROM pg_catalog.pg_database d
       JOIN pg_catalog.pg_tablespace s
         ON s.oid = coalesce(nullif(c.reltablespace, 0), d.dattablespace)
       WHERE d.datname = pg_catalog.current_database())
      """;

  private final Relation relation;
  private final QualifiedName name;

  OldTable(Relation relation) {
    this.relation = relation;
    name = relation.name();
  }

  Relation relation() {
    return relation;
  }

  /// Refuses a table that others depend on, naming them.
  ///
  /// @param likeOld whether the new table is made like it, and takes its sequences over
  /// @throws Fault.User if it can't be dropped
  void checkDroppable(Session session, boolean likeOld) {
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
    List<String> references = new PostgresCatalog(session).constraints().foreignKeysTo(relation);
    List<String> dependents = new ArrayList<>(references);
    dependents.addAll(dependents(session, likeOld));
    if (!dependents.isEmpty()) {
      throw new Fault.User(
          name.label()
              + " can't be replaced: "
              + PostgresCatalog.list(dependents)
              + " would lose it.",
          adviceToKeep(references.size(), dependents.size() - references.size()));
    }
  }

  private static String adviceToKeep(int references, int others) {
    if (references == 0) {
      return "Use --mode truncate, which keeps the table.";
    }
    return others == 0
        ? KEEP_REFERENCES
        : "Use --mode merge, which keeps the table, or drop all of these and make them again after"
            + " the copy.";
  }

  /// What keeps the server from dropping the table, foreign keys left out: what depends on
  /// something that would go with it, by `deptype`
  /// (https://www.postgresql.org/docs/current/catalog-pg-depend.html), and would not go itself. Of
  /// a view it is the rule that depends.
  private List<String> dependents(Session session, boolean likeOld) {
    return session.query(
        """
        WITH RECURSIVE goes(classid, objid) AS (
          SELECT 'pg_catalog.pg_class'::pg_catalog.regclass::oid, ?::bigint::oid
          UNION
          SELECT d.classid, d.objid
          FROM goes g
          JOIN pg_catalog.pg_depend d ON d.refclassid = g.classid AND d.refobjid = g.objid
            AND d.deptype IN ('a', 'i')
          WHERE NOT (? AND d.deptype = 'a'
            AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            AND EXISTS (SELECT FROM pg_catalog.pg_class s
              WHERE s.oid = d.objid AND s.relkind = 'S')))
        SELECT DISTINCT CASE WHEN r.oid IS NULL
            THEN pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid)
            ELSE pg_catalog.pg_describe_object(
              'pg_catalog.pg_class'::pg_catalog.regclass, r.ev_class, 0) END
        FROM goes g
        JOIN pg_catalog.pg_depend d ON d.refclassid = g.classid AND d.refobjid = g.objid
          AND d.deptype = 'n'
        LEFT JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
          AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
        LEFT JOIN pg_catalog.pg_constraint k ON k.oid = d.objid AND k.contype = 'f'
          AND d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
        WHERE (d.classid, d.objid) NOT IN (SELECT classid, objid FROM goes) AND k.oid IS NULL
        ORDER BY 1
        """,
        row -> row.getString(1),
        relation.oid(),
        likeOld);
  }

  private boolean isChild(Session session) {
    return !session
        .query(
            "SELECT 1 FROM pg_catalog.pg_inherits WHERE inhrelid = ?::bigint::oid",
            row -> row.getInt(1),
            relation.oid())
        .isEmpty();
  }

  /// How and where the table is stored, as it stands at the end of CREATE TABLE. If this user may
  /// put nothing into its tablespace, it is the database's own.
  String storage(Session session) {
    return session.one(
        """
        SELECT pg_catalog.format(' USING %I', am.amname)
          || coalesce((
            SELECT ' WITH (' || pg_catalog.string_agg(
              pg_catalog.format('%s%I=%L', o.scope, o.name, o.value), ', ') || ')'
            FROM (
              SELECT '', option_name, option_value
              FROM pg_catalog.pg_options_to_table(c.reloptions)
              UNION ALL
              SELECT 'toast.', option_name, option_value
              FROM pg_catalog.pg_options_to_table(t.reloptions)) AS o(scope, name, value)), '')
          || pg_catalog.format(' TABLESPACE %I',
        """
            + TABLESPACE
            + """
                )
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_am am ON am.oid = c.relam
            LEFT JOIN pg_catalog.pg_class t ON t.oid = c.reltoastrelid
            WHERE c.oid = ?::bigint::oid
            """,
        row -> row.getString(1),
        relation.oid());
  }

  /// What the new table will not have, one sentence each.
  ///
  /// @param instead the new table's definition, or null if it is made like the old one
  /// @param unlogged whether the new table has no write-ahead log
  List<String> losses(Session session, @Nullable NewTable instead, boolean unlogged) {
    List<String> losses = new ArrayList<>();
    if (instead == null) {
      addAttached(losses, session, true, unlogged);
      add(losses, "index", indexes(session, "NOT i.indisvalid"));
    } else {
      List<TableColumn> columns = new PostgresCatalog(session).columns(relation);
      add(losses, "column", names(columns, column -> !instead.names().contains(column.name())));
      if (instead.key().isEmpty()) {
        add(losses, "primary key", constraints(session, "p"));
      }
      losses.addAll(rules(session, unlogged));
    }
    return losses.stream()
        .map(each -> "the new table will not have the old one's " + each)
        .toList();
  }

  /// What its definition says beside columns, their types, `NOT NULL` and its primary key, in
  /// words: a table of other columns has nothing of it.
  ///
  /// @param unlogged whether the new table has no write-ahead log
  List<String> rules(Session session, boolean unlogged) {
    List<String> rules = new ArrayList<>();
    addAttached(rules, session, false, unlogged);
    add(rules, "index", indexes(session, "NOT i.indisprimary"));
    add(rules, "check", constraints(session, "c"));
    add(
        rules,
        "statistics object",
        names(
            session,
            "SELECT stxname FROM pg_catalog.pg_statistic_ext WHERE stxrelid = ?::bigint::oid ORDER"
                + " BY 1"));
    List<TableColumn> columns = new PostgresCatalog(session).columns(relation);
    add(rules, "default of", names(columns, one -> one.hasDefault() && one.serverMade().isEmpty()));
    add(rules, "generated column", names(columns, one -> !one.serverMade().isEmpty()));
    add(
        rules,
        "grants to",
        names(
            session,
            "SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE"
                + " pg_catalog.pg_get_userbyid(a.grantee) END FROM pg_catalog.pg_class c,"
                + " pg_catalog.aclexplode(c.relacl) a WHERE c.oid = ?::bigint::oid AND a.grantee <>"
                + " c.relowner ORDER BY 1"));
    add(
        rules,
        "comments on",
        names(
            session,
            "SELECT coalesce(a.attname, 'the table') FROM pg_catalog.pg_description d LEFT JOIN"
                + " pg_catalog.pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid"
                + " AND d.objsubid > 0 WHERE d.classoid ="
                + " 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objoid = ?::bigint::oid ORDER"
                + " BY d.objsubid"));
    return rules;
  }

  /// What hangs on a table and is made for none that takes its place.
  private void addAttached(List<String> to, Session session, boolean likeOld, boolean unlogged) {
    add(
        to,
        "trigger",
        names(
            session,
            "SELECT tgname FROM pg_catalog.pg_trigger WHERE tgrelid = ?::bigint::oid AND NOT"
                + " tgisinternal ORDER BY 1"));
    add(to, "foreign key", constraints(session, "f"));
    add(
        to,
        "row security policy",
        names(
            session,
            "SELECT polname FROM pg_catalog.pg_policy WHERE polrelid = ?::bigint::oid ORDER BY 1"));
    add(
        to,
        "publication",
        names(
            session,
            "SELECT p.pubname FROM pg_catalog.pg_publication_rel r JOIN pg_catalog.pg_publication"
                + " p ON p.oid = r.prpubid WHERE r.prrelid = ?::bigint::oid ORDER BY 1"));
    add(
        to,
        "rule",
        names(
            session,
            "SELECT rulename FROM pg_catalog.pg_rewrite WHERE ev_class = ?::bigint::oid ORDER BY"
                + " 1"));
    add(to, "setting", settings(session, likeOld, unlogged));
  }

  /// What is set for the table itself and the new one will not have. Into the tablespace of a
  /// relation it goes only if it is made like it, and this user may put something there.
  private List<String> settings(Session session, boolean likeOld, boolean unlogged) {
    return session.query(
        """
        SELECT s.name
        FROM pg_catalog.pg_class c
        CROSS JOIN (SELECT ?::boolean, ?::boolean) AS new(like_old, unlogged)
        CROSS JOIN LATERAL (
          SELECT 'ENABLE ROW LEVEL SECURITY' WHERE c.relrowsecurity
          UNION ALL SELECT 'FORCE ROW LEVEL SECURITY' WHERE c.relforcerowsecurity
          UNION ALL SELECT 'UNLOGGED' WHERE c.relpersistence = 'u' AND NOT new.unlogged
          UNION ALL SELECT 'REPLICA IDENTITY' WHERE c.relreplident <> 'd' AND NOT new.like_old
          UNION ALL
          SELECT 'USING ' || am.amname FROM pg_catalog.pg_am am
          WHERE am.oid = c.relam AND NOT new.like_old
            AND am.amname <> pg_catalog.current_setting('default_table_access_method')
          UNION ALL SELECT unnest(c.reloptions) WHERE NOT new.like_old
          UNION ALL
          SELECT 'toast.' || unnest(t.reloptions) FROM pg_catalog.pg_class t
          WHERE t.oid = c.reltoastrelid AND NOT new.like_old
          UNION ALL
          (SELECT DISTINCT 'TABLESPACE ' || t.spcname
          FROM pg_catalog.pg_class r JOIN pg_catalog.pg_tablespace t ON t.oid = r.reltablespace
          WHERE (r.oid = c.oid OR (new.like_old AND r.oid IN (
              SELECT i.indexrelid FROM pg_catalog.pg_index i
              WHERE i.indrelid = c.oid AND i.indisvalid)))
            AND NOT (new.like_old AND pg_catalog.has_tablespace_privilege(t.oid, 'CREATE')))
        ) AS s(name)
        WHERE c.oid = ?::bigint::oid
        """,
        row -> row.getString(1),
        likeOld,
        unlogged,
        relation.oid());
  }

  private List<String> indexes(Session session, String which) {
    return names(
        session,
        "SELECT c.relname FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid ="
            + " i.indexrelid WHERE i.indrelid = ?::bigint::oid AND "
            + which
            + " ORDER BY 1");
  }

  private List<String> constraints(Session session, String type) {
    return names(
        session,
        "SELECT conname FROM pg_catalog.pg_constraint WHERE conrelid = ?::bigint::oid AND contype ="
            + " '"
            + type
            + "' ORDER BY 1");
  }

  private List<String> names(Session session, String query) {
    return session.query(query, row -> row.getString(1), relation.oid());
  }

  private static List<String> names(List<TableColumn> columns, Predicate<TableColumn> which) {
    return columns.stream().filter(which).map(TableColumn::name).toList();
  }

  private static void add(List<String> to, String what, List<String> names) {
    if (!names.isEmpty()) {
      to.add(what + " " + PostgresCatalog.list(names));
    }
  }
}
