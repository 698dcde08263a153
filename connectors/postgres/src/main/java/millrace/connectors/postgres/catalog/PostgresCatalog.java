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
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import org.jspecify.annotations.Nullable;

/// Looks things up in the server's catalogue.
public final class PostgresCatalog {

  private static final String TREE =
      """
      WITH RECURSIVE tree(oid) AS (
        SELECT ?::bigint::oid
        UNION
        SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree t ON i.inhparent = t.oid)
      """;

  /// The same of one that has nothing below it.
  private static final String ALONE = "WITH tree(oid) AS (SELECT ?::bigint::oid)\n";

  /// The relation of a parameter and all that hangs below it.
  static String tree(Relation relation) {
    return relation.hasChildren() ? TREE : ALONE;
  }

  private final Session session;

  public PostgresCatalog(Session session) {
    this.session = session;
  }

  /// What of a relation's rows this user does not see.
  public RowVisibility visibility() {
    return new RowVisibility(session);
  }

  /// What a table asks of the rows that come into it.
  public Constraints constraints() {
    return new Constraints(session);
  }

  /// The statement that empties a table: of a family of tables only this one, but of a partitioned
  /// one all parts.
  public String truncate(QualifiedName name) {
    Relation there = find(name);
    boolean isPartitioned = there != null && there.kind().equals("p");
    return "TRUNCATE TABLE " + (isPartitioned ? "" : "ONLY ") + name.sql();
  }

  /// Whether a table has rows, of those that this user sees; not whether tables have any that
  /// inherit from it.
  public boolean holdsRows(QualifiedName name) {
    return session.one(
        """
        SELECT CASE WHEN (SELECT relkind = 'r' FROM pg_catalog.pg_class
            WHERE oid = pg_catalog.to_regclass(?))
          THEN EXISTS (SELECT FROM ONLY %1$s) ELSE EXISTS (SELECT FROM %1$s) END
        """
            .formatted(name.sql()),
        row -> row.getBoolean(1),
        name.sql());
  }

  /// Which cluster of databases it is, by whatever address it is reached; nothing if this user may
  /// not know.
  public Optional<String> cluster() {
    return Optional.of(session.known("cluster", String.class, this::askCluster))
        .filter(id -> !id.isEmpty());
  }

  private String askCluster() {
    boolean answers =
        session.one(
            """
            SELECT coalesce(pg_catalog.has_function_privilege(
              pg_catalog.to_regprocedure('pg_catalog.pg_control_system()'), 'EXECUTE'), false)
            """,
            row -> row.getBoolean(1));
    return answers
        ? session.one(
            "SELECT system_identifier FROM pg_catalog.pg_control_system()", row -> row.getString(1))
        : "";
  }

  /// The most bytes of an identifier; the server cuts longer ones off without an error.
  public int nameBytesMax() {
    return session.known(
        "max_identifier_length",
        Integer.class,
        () -> session.one("SHOW max_identifier_length", row -> row.getInt(1)));
  }

  /// Sees to it that the server can be told something in the user's words.
  ///
  /// @param what it is, as the beginning of a sentence
  /// @param advice what to do if it can't
  /// @throws Fault.User if the database's encoding lacks characters of it
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
  public void checkName(QualifiedName name) {
    String both = name.schema() == null ? name.name() : name.schema() + "." + name.name();
    checkHeld("The name " + both, both, "Name another table.");
  }

  /// The relation of that name, as spelled or else in lower case; null if there is none.
  @Nullable
  public Relation find(QualifiedName name) {
    Relation exact = findExactly(name);
    return exact != null || name.folded().equals(name) ? exact : findExactly(name.folded());
  }

  private @Nullable Relation findExactly(QualifiedName name) {
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
            PostgresCatalog::relation,
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

  private static Relation relation(ResultSet row) throws SQLException {
    return new Relation(
        row.getLong(1),
        new QualifiedName(row.getString(2), row.getString(3), true),
        row.getString(4),
        row.getBoolean(5),
        row.getBoolean(6),
        row.getBoolean(7));
  }

  /// The fault that says that there is no such table, with the nearest names that there are.
  public Fault.User noSuchTable(QualifiedName name, Address address) {
    List<QualifiedName> known =
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
            row -> new QualifiedName(row.getString(1), row.getString(2), true));
    String hint = Nearest.hint(name.label(), known.stream().map(QualifiedName::label).toList());
    if (hint.isEmpty()) {
      List<String> namesakes =
          known.stream()
              .filter(one -> one.name().equalsIgnoreCase(name.name()))
              .map(QualifiedName::label)
              .toList();
      hint =
          namesakes.isEmpty()
              ? nearestBareName(name, known)
              : "There is " + String.join(", ", namesakes) + ".";
    }
    return new Fault.User(
        "There is no table " + name.label() + " in database " + address.database() + ".", hint);
  }

  private static String nearestBareName(QualifiedName name, List<QualifiedName> known) {
    String hint = Nearest.hint(name.name(), known.stream().map(QualifiedName::name).toList());
    return hint.isEmpty()
        ? "List the tables with psql -c '\\d', or name the schema: table=schema.table."
        : hint;
  }

  /// The columns of a relation with their types, to tell whether they are what they were; none if
  /// there is no such relation.
  public List<String> declarations(QualifiedName name) {
    Relation there = find(name);
    return there == null ? List.of() : declarations(there);
  }

  /// The same of one that is there.
  public List<String> declarations(Relation there) {
    return columns(there).stream()
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
              pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'INSERT'), a.attndims
            FROM pg_catalog.pg_attribute a
            WHERE a.attrelid = ?::bigint::oid AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """,
            ColumnRow::of,
            relation.oid());
    List<PostgresType> types =
        new CatalogTypes(session).of(rows.stream().map(ColumnRow::type).toList());
    List<TableColumn> columns = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      columns.add(rows.get(i).column(types.get(i)));
    }
    return columns;
  }

  private record ColumnRow(
      String name,
      CatalogTypes.TypeRef type,
      boolean notNull,
      boolean hasDefault,
      String identity,
      String generated,
      boolean insertable) {

    static ColumnRow of(ResultSet row) throws SQLException {
      return new ColumnRow(
          row.getString(1),
          new CatalogTypes.TypeRef(row.getLong(2), row.getInt(3), row.getInt(9)),
          row.getBoolean(4),
          row.getBoolean(5),
          row.getString(6),
          row.getString(7),
          row.getBoolean(8));
    }

    TableColumn column(PostgresType found) {
      String serverMade = generated.isEmpty() ? "" : "a generated column";
      boolean filled = hasDefault || !identity.isEmpty() || !generated.isEmpty();
      return new TableColumn(name, found, notNull, filled, serverMade, identity, insertable);
    }
  }

  /// What stands behind the types of a table's columns if their collation is not that of the type,
  /// by column name; nothing if there is no such table.
  public Map<String, String> collations(QualifiedName table) {
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
                    " COLLATE "
                        + new QualifiedName(row.getString(2), row.getString(3), true).sql()),
            table.sql())
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /// Whether the relation or one that hangs below it has no write-ahead log.
  public boolean hasUnlogged(Relation relation) {
    return session.one(
        tree(relation)
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

  /// A part of a table that has blocks of its own.
  ///
  /// @param blocks how many; -1 if it can't be read by blocks
  /// @param rows about how many rows, or -1 if nobody has counted
  /// @param readable whether this user may read it by its own name
  /// @param rowSecurity whether policies hide rows of it from this user who reads it by that name
  public record Leaf(
      QualifiedName name,
      long blocks,
      long bytes,
      double rows,
      boolean readable,
      boolean rowSecurity) {}

  /// The table itself and all that hangs below it, as far as it holds rows of its own.
  public List<Leaf> leaves(Relation relation) {
    return session.query(
        tree(relation)
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
                new QualifiedName(row.getString(1), row.getString(2), true),
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
        tree(relation)
            + """
            SELECT c.oid || ' ' || c.relfilenode
            FROM tree t JOIN pg_catalog.pg_class c ON c.oid = t.oid ORDER BY c.oid
            """,
        row -> row.getString(1),
        relation.oid());
  }

  /// How many bytes one block has.
  public long blockBytes() {
    return session.known(
        "block_size",
        Long.class,
        () ->
            session.one(
                "SELECT pg_catalog.current_setting('block_size')::bigint", row -> row.getLong(1)));
  }

  /// Names with commas between, for sentences.
  public static String list(List<String> names) {
    return names.stream().collect(Collectors.joining(", "));
  }
}
