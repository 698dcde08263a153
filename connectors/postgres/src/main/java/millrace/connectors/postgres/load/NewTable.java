package millrace.connectors.postgres.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.net.Session;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;

/// A table that does not exist yet, worked out of a source's columns.
///
/// Columns of a PostgreSQL source are declared as there, if this database has such a type;
/// otherwise the neutral type decides.
public final class NewTable {

  /// NAMEDATALEN less its closing zero, if nobody built the server with another.
  private static final int NAME_BYTES_USUAL = 63;

  private record Definition(String name, String declaration, boolean nullable) {
    String sql() {
      return PostgresSql.name(name) + " " + declaration + (nullable ? "" : " NOT NULL");
    }
  }

  private final List<Definition> definitions = new ArrayList<>();
  private final List<String> key;
  private final boolean unlogged;
  private final TableComments comments;
  private final List<String> notes = new ArrayList<>();

  /// What is special about it.
  ///
  /// @param key names of the primary key's columns; empty for none
  /// @param unlogged whether it is to have no write-ahead log
  record Traits(List<String> key, boolean unlogged, TableComments comments) {}

  NewTable(Schema incoming, Traits traits, Session session, int nameBytesMax) {
    this(incoming, traits, declared -> exists(session, declared), nameBytesMax);
  }

  private NewTable(Schema incoming, Traits traits, Predicate<String> exists, int nameBytesMax) {
    key = traits.key;
    unlogged = traits.unlogged;
    comments = traits.comments;
    Map<String, Boolean> known = new HashMap<>();
    for (Column column : incoming.columns()) {
      checkName(column.name(), nameBytesMax);
      definitions.add(define(column, exists, known));
    }
  }

  /// A table of some database that is not asked, as previews show it.
  public static NewTable anywhere(Schema incoming) {
    return new NewTable(
        incoming,
        new Traits(incoming.key(), false, TableComments.NONE),
        _ -> true,
        NAME_BYTES_USUAL);
  }

  /// The server would cut a longer name off, and two columns might then have one name.
  static void checkName(String name, int bytesMax) {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length > bytesMax || name.isEmpty() || name.indexOf('\0') >= 0) {
      throw new Fault.User(
          "PostgreSQL can't name anything '"
              + name
              + "': a name has 1 to "
              + bytesMax
              + " bytes, not "
              + length
              + ".",
          "--fit-names cuts the names of columns, and --rename gives a column another one.");
    }
  }

  private Definition define(Column column, Predicate<String> exists, Map<String, Boolean> known) {
    String declared = column.declaredIn(PostgresConnector.NAME);
    if (declared != null) {
      if (known.computeIfAbsent(declared, exists::test)) {
        return new Definition(column.name(), declared, column.nullable());
      }
      String instead = PostgresTypes.declaration(column.type());
      notes.add(
          "column "
              + column.name()
              + ": there is no type "
              + declared
              + " in this database, so it becomes "
              + instead);
      return new Definition(column.name(), instead, column.nullable());
    }
    String becomes = PostgresTypes.declaration(column.type());
    boolean isText = column.type() instanceof Type.Opaque && becomes.equals("text");
    if (isText && column.declared() != null) {
      notes.add(
          "column "
              + column.name()
              + ": "
              + column.declared().declaration()
              + " of "
              + column.declared().system()
              + " is kept as its text");
    }
    return new Definition(column.name(), becomes, column.nullable());
  }

  /// The server parses the text as a type's name and nothing else, so that it may stand in a
  /// statement if the answer is yes.
  private static boolean exists(Session session, String declared) {
    try {
      return session.one(
          "SELECT pg_catalog.to_regtype(?) IS NOT NULL", row -> row.getBoolean(1), declared);
    } catch (Fault.User _) {
      // Older servers throw if the name has a schema that is not there.
      return false;
    }
  }

  List<String> notes() {
    return notes;
  }

  /// What is written down about it; empty if nothing is.
  String comment() {
    return comments.table();
  }

  /// The names of its columns.
  List<String> names() {
    return definitions.stream().map(Definition::name).toList();
  }

  /// The names of the primary key's columns.
  List<String> key() {
    return key;
  }

  /// The statement that makes the table, without its key.
  String create(QualifiedName name) {
    return create(name, false);
  }

  /// The statement that makes the table whole.
  public String createWithKey(QualifiedName name) {
    return create(name, true);
  }

  /// The statement that gives a table that exists the columns as well.
  String add(QualifiedName name) {
    return "ALTER TABLE "
        + name.sql()
        + definitions.stream()
            .map(each -> " ADD COLUMN " + each.sql())
            .collect(Collectors.joining(","));
  }

  /// The statement that adds the key to the table made without it.
  String addKey(QualifiedName name) {
    return "ALTER TABLE " + name.sql() + " ADD PRIMARY KEY (" + PostgresSql.names(key) + ")";
  }

  private String create(QualifiedName name, boolean withKey) {
    List<String> lines = new ArrayList<>(definitions.stream().map(Definition::sql).toList());
    if (withKey && !key.isEmpty()) {
      lines.add("PRIMARY KEY (" + PostgresSql.names(key) + ")");
    }
    String create = unlogged ? "CREATE UNLOGGED TABLE " : "CREATE TABLE ";
    return create
        + name.sql()
        + " (\n  "
        + String.join(",\n  ", lines)
        + "\n)"
        + String.join("", commenting(name));
  }

  /// Statements behind the one that makes the table.
  private List<String> commenting(QualifiedName name) {
    List<String> statements = new ArrayList<>();
    if (!comments.table().isEmpty()) {
      statements.add(commenting("TABLE " + name.sql(), comments.table()));
    }
    for (Definition each : definitions) {
      String comment = comments.of(each.name);
      if (!comment.isEmpty()) {
        String column = name.sql() + "." + PostgresSql.name(each.name);
        statements.add(commenting("COLUMN " + column, comment));
      }
    }
    return statements;
  }

  private static String commenting(String what, String comment) {
    return ";\nCOMMENT ON " + what + " IS " + PostgresSql.text(comment);
  }

  /// What the columns will be: the server makes the table, says, and takes it back. So a type, a
  /// name or a right that is missing shows before the first row moves.
  List<TableColumn> rehearse(Session session, QualifiedName name) {
    return session.tryOut(() -> {
      session.execute(createWithKey(name));
      PostgresCatalog catalog = new PostgresCatalog(session);
      Relation made = catalog.find(name);
      if (made == null) {
        throw new Fault.Bug("the table just made is not there: " + name.label(), null);
      }
      return catalog.columns(made);
    });
  }
}
