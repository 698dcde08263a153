package millrace.connectors.postgres.catalog;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.connectors.postgres.net.Address;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import org.jspecify.annotations.Nullable;

/// Looks things up in the server's catalogue.
public final class Catalog {

  /// Bits of `tgtype` in src/include/catalog/pg_trigger.h.
  private static final int TRIGGER_INSERT = 4;

  private static final int TRIGGER_UPDATE = 16;

  /// The relation of a parameter and all that hangs below it.
  private static final String TREE =
      """
      WITH RECURSIVE tree(oid) AS (
        SELECT ?::bigint::oid
        UNION
        SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree t ON i.inhparent = t.oid)
      """;

  private final Session session;

  public Catalog(Session session) {
    this.session = session;
  }

  /// The statement that empties a table: of a family of tables only this one, but of a partitioned
  /// one all parts.
  public String truncate(TableName name) {
    Relation there = find(name);
    boolean isWhole = there != null && there.kind().equals("p");
    return "TRUNCATE TABLE " + (isWhole ? "" : "ONLY ") + name.sql();
  }

  /// Whether a table has rows, of those that this user sees.
  public boolean holdsRows(TableName name) {
    return session.one("SELECT EXISTS (SELECT FROM " + name.sql() + ")", row -> row.getBoolean(1));
  }

  /// Which cluster of databases it is, by whatever address it is reached; nothing if this user may
  /// not know.
  public Optional<String> cluster() {
    boolean tells =
        session.one(
            """
            SELECT coalesce(pg_catalog.has_function_privilege(
              pg_catalog.to_regprocedure('pg_catalog.pg_control_system()'), 'EXECUTE'), false)
            """,
            row -> row.getBoolean(1));
    return tells
        ? Optional.of(
            session.one(
                "SELECT system_identifier FROM pg_catalog.pg_control_system()",
                row -> row.getString(1)))
        : Optional.empty();
  }

  /// The most bytes of an identifier; the server cuts longer ones off without an error.
  public int nameBytesMax() {
    return session.one("SHOW max_identifier_length", row -> row.getInt(1));
  }

  /// Sees to it that the server can be told something in the user's words.
  ///
  /// @param what it is, as the beginning of a sentence
  /// @param advice what to do where it can't
  /// @throws Fault.User where the database's encoding lacks characters of it
  public void checkHeld(String what, String text, String advice) {
    String encoding = session.driver().getParameterStatus("server_encoding");
    // A zero byte is no character of any encoding: names that hold one are refused as names.
    boolean mayBeLacking =
        !"UTF8".equals(encoding) && text.chars().anyMatch(c -> c >= 128) && text.indexOf('\0') < 0;
    if (mayBeLacking && !session.holds(text)) {
      throw new Fault.User(
          what
              + " has characters that the database does not know: its encoding is "
              + encoding
              + ".",
          advice);
    }
  }

  /// The same of a name.
  public void checkName(TableName name) {
    String both = name.schema() == null ? name.name() : name.schema() + "." + name.name();
    checkHeld("The name " + both, both, "Name another table.");
  }

  /// The relation of that name, as spelled or else in lower case; null where there is none.
  @Nullable
  public Relation find(TableName name) {
    Relation exact = findExactly(name);
    return exact != null || name.folded().equals(name) ? exact : findExactly(name.folded());
  }

  private @Nullable Relation findExactly(TableName name) {
    if (name.name().getBytes(StandardCharsets.UTF_8).length > nameBytesMax()) {
      return null;
    }
    List<Relation> found =
        session.query(
            """
            SELECT c.oid::bigint, n.nspname, c.relname, c.relkind::text, c.relhassubclass,
              c.relrowsecurity, coalesce(am.amname = 'heap', false)
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
            WHERE c.oid = pg_catalog.to_regclass(?)
            """,
            Catalog::relation,
            name.sql());
    return found.isEmpty() ? null : found.getFirst();
  }

  /// Whether a relation that this transaction has locked is another one by now than in its
  /// snapshot, or has other blocks: who had locked it before has emptied it, written it anew or put
  /// another in its place, and nothing of what that one has put there can be seen.
  public boolean isBehindLocks() {
    return session.one(
        """
        SELECT EXISTS (
          SELECT FROM pg_catalog.pg_locks l
          LEFT JOIN pg_catalog.pg_class c ON c.oid = l.relation
          WHERE l.locktype = 'relation' AND l.pid = pg_catalog.pg_backend_pid()
            AND (c.oid IS NULL OR (c.relfilenode <> 0
              AND c.relfilenode <> pg_catalog.pg_relation_filenode(c.oid))))
        """,
        row -> row.getBoolean(1));
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
        Catalog::hiddenRows,
        relation.oid());
  }

  /// What a standby server may not have yet, in one sentence; nothing where it is none.
  public List<String> missingFromStandby() {
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
        + new TableName(row.getString(1), row.getString(2), true).label()
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
  /// plan what policies would change where it is told that they must not, and names the first
  /// table.
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

  private static Relation relation(ResultSet row) throws SQLException {
    return new Relation(
        row.getLong(1),
        new TableName(row.getString(2), row.getString(3), true),
        row.getString(4),
        row.getBoolean(5),
        row.getBoolean(6),
        row.getBoolean(7));
  }

  /// The fault that says that there is no such table, with the nearest names that there are.
  public Fault.User noSuchTable(TableName name, Address address) {
    List<TableName> known =
        session.query(
            """
            SELECT n.nspname, c.relname
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
              AND n.nspname NOT IN ('pg_catalog', 'information_schema')
              AND n.nspname NOT LIKE 'pg\\_t%'
            ORDER BY 1, 2 LIMIT 10000
            """,
            row -> new TableName(row.getString(1), row.getString(2), true));
    String hint = Nearest.hint(name.label(), known.stream().map(TableName::label).toList());
    if (hint.isEmpty()) {
      List<String> namesakes =
          known.stream()
              .filter(one -> one.name().equalsIgnoreCase(name.name()))
              .map(TableName::label)
              .toList();
      hint =
          namesakes.isEmpty()
              ? nearestBareName(name, known)
              : "There is " + String.join(", ", namesakes) + ".";
    }
    return new Fault.User(
        "There is no table " + name.label() + " in database " + address.database() + ".", hint);
  }

  private static String nearestBareName(TableName name, List<TableName> known) {
    String hint = Nearest.hint(name.name(), known.stream().map(TableName::name).toList());
    return hint.isEmpty()
        ? "List the tables with psql -c '\\d', or name the schema: table=schema.table."
        : hint;
  }

  /// The columns of a relation with their types, to tell whether they are what they were; none
  /// where there is no such relation.
  public List<String> declarations(TableName name) {
    Relation there = find(name);
    return there == null
        ? List.of()
        : columns(there).stream()
            .map(column -> PostgresSql.name(column.name()) + " " + column.type().declared())
            .toList();
  }

  /// The columns of a relation, dropped ones left out.
  public List<TableColumn> columns(Relation relation) {
    List<ColumnRow> rows =
        session.query(
            """
            SELECT a.attname, a.atttypid::bigint, a.atttypmod, a.attnotnull, a.atthasdef,
              a.attidentity::text, a.attgenerated::text,
              pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'INSERT')
            FROM pg_catalog.pg_attribute a
            WHERE a.attrelid = ?::bigint::oid AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """,
            ColumnRow::of,
            relation.oid());
    List<PostgresType> types =
        new CatalogTypes(session)
            .of(rows.stream().map(row -> new CatalogTypes.TypeRef(row.oid, row.modifier)).toList());
    List<TableColumn> columns = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      columns.add(rows.get(i).column(types.get(i)));
    }
    return columns;
  }

  private record ColumnRow(
      String name,
      long oid,
      int modifier,
      boolean notNull,
      boolean hasDefault,
      String identity,
      String generated,
      boolean insertable) {

    static ColumnRow of(ResultSet row) throws SQLException {
      return new ColumnRow(
          row.getString(1),
          row.getLong(2),
          row.getInt(3),
          row.getBoolean(4),
          row.getBoolean(5),
          row.getString(6),
          row.getString(7),
          row.getBoolean(8));
    }

    TableColumn column(PostgresType type) {
      String serverMade = generated.isEmpty() ? "" : "a generated column";
      boolean filled = hasDefault || !identity.isEmpty() || !generated.isEmpty();
      return new TableColumn(name, type, notNull, filled, serverMade, identity, insertable);
    }
  }

  /// What stands behind the types of a table's columns where their collation is not that of the
  /// type, by column name; nothing where there is no such table.
  public Map<String, String> collations(TableName table) {
    return session
        .query(
            """
            SELECT a.attname, n.nspname, c.collname
            FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
            JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace
            WHERE a.attrelid = pg_catalog.to_regclass(?) AND a.attnum > 0
              AND a.attcollation <> t.typcollation
            """,
            row ->
                Map.entry(
                    row.getString(1),
                    " COLLATE " + new TableName(row.getString(2), row.getString(3), true).sql()),
            table.sql())
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
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
  public String keyName(TableName table) {
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

  private boolean hasRowTriggers(Relation relation, int events) {
    return session.one(
        TREE
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

  /// Whether the relation or one that hangs below it has no write-ahead log.
  public boolean hasUnlogged(Relation relation) {
    return session.one(
        TREE
            + """
            SELECT EXISTS (
              SELECT FROM pg_catalog.pg_class c JOIN tree t ON c.oid = t.oid
              WHERE c.relpersistence = 'u')
            """,
        row -> row.getBoolean(1),
        relation.oid());
  }

  /// Whether this user may read all columns of a relation.
  public boolean isReadable(Relation relation) {
    return session.one(
        "SELECT pg_catalog.has_table_privilege(?::bigint::oid, 'SELECT')",
        row -> row.getBoolean(1),
        relation.oid());
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

  /// A part of a table that has blocks of its own.
  ///
  /// @param blocks how many; -1 where it can't be read by blocks
  /// @param rows about how many rows, or -1 where nobody has counted
  /// @param readable whether this user may read it by its own name
  /// @param rowSecurity whether policies hide rows of it from this user who reads it by that name
  public record Leaf(
      TableName name,
      long blocks,
      long bytes,
      double rows,
      boolean readable,
      boolean rowSecurity) {}

  /// The table itself and all that hangs below it, as far as it holds rows of its own.
  public List<Leaf> leaves(Relation relation) {
    return session.query(
        TREE
            + """
            SELECT n.nspname, c.relname,
              CASE WHEN am.amname = 'heap'
                THEN pg_catalog.pg_relation_size(c.oid)
                  / pg_catalog.current_setting('block_size')::bigint
                ELSE -1 END,
              coalesce(pg_catalog.pg_relation_size(c.oid), 0), c.reltuples,
              pg_catalog.has_table_privilege(c.oid, 'SELECT'),
              pg_catalog.row_security_active(c.oid)
            FROM tree t
            JOIN pg_catalog.pg_class c ON c.oid = t.oid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
            WHERE c.relkind <> 'p'
            ORDER BY c.oid = ?::bigint::oid DESC, n.nspname, c.relname
            """,
        row ->
            new Leaf(
                new TableName(row.getString(1), row.getString(2), true),
                row.getLong(3),
                row.getLong(4),
                row.getDouble(5),
                row.getBoolean(6),
                row.getBoolean(7)),
        relation.oid(),
        relation.oid());
  }

  /// The relation and all that hangs below it, each with the number of its files: another one once
  /// it was emptied or written anew.
  public List<String> files(Relation relation) {
    return session.query(
        TREE
            + """
            SELECT c.oid || ' ' || c.relfilenode
            FROM tree t JOIN pg_catalog.pg_class c ON c.oid = t.oid ORDER BY c.oid
            """,
        row -> row.getString(1),
        relation.oid());
  }

  /// How many bytes one block has.
  public long blockBytes() {
    return session.one(
        "SELECT pg_catalog.current_setting('block_size')::bigint", row -> row.getLong(1));
  }

  /// Names with commas between, for sentences.
  public static String list(List<String> names) {
    return names.stream().collect(Collectors.joining(", "));
  }
}
