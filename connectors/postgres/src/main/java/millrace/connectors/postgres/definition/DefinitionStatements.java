package millrace.connectors.postgres.definition;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import org.jspecify.annotations.Nullable;

/// The statements that make one table like another, put together part by part. Each adding method
/// gives how many there are of its kind.
final class DefinitionStatements {

  private static final int NAME_BYTES_MAX = 63;

  private final QualifiedName table;
  private final String from;
  private final boolean whole;
  private final List<String> before = new ArrayList<>();
  private final List<String> columns = new ArrayList<>();
  private final List<String> after = new ArrayList<>();
  private final List<String> afterRows = new ArrayList<>();
  private final List<CopiedDefinition.Reference> references = new ArrayList<>();
  private final List<LeftOut> leftOut = new ArrayList<>();

  /// What follows the keys and indexes of the table.
  private final List<String> last = new ArrayList<>();

  private final StringBuilder suffix = new StringBuilder();
  private boolean unlogged;

  /// Sequences of the table's own by their old names, as defaults name them.
  private final Map<String, QualifiedName> sequences = new HashMap<>();

  /// Options of the sequences of identity columns, by the column.
  private final Map<String, String> identities = new HashMap<>();

  /// @param table the table that is made
  /// @param from the name of the one that it is like
  /// @param whole whether all that its schema holds comes along, under the same names
  DefinitionStatements(QualifiedName table, String from, boolean whole) {
    this.table = table;
    this.from = from;
    this.whole = whole;
  }

  private String renamed(String name) {
    return CopiedDefinition.named(
        name,
        from,
        table.name(),
        each -> each.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX);
  }

  /// A column as the catalog has it.
  ///
  /// @param type its declaration
  /// @param notNull how it says that it takes no nulls, with a blank before it; may be empty
  /// @param otherwise its default or what computes it; may be empty
  /// @param identity PostgreSQL's letter for when it is drawn; empty if it is none
  /// @param generated PostgreSQL's letter for how it is kept; empty if it is not computed
  /// @param collation empty for its type's own
  record Column(
      String name,
      String type,
      String notNull,
      String otherwise,
      String identity,
      String generated,
      String collation) {}

  /// @param at where it stands; null if nobody may say
  int sequence(
      String old,
      String name,
      String create,
      String options,
      String column,
      SequenceValues.@Nullable Position at) {
    QualifiedName sequenceName = new QualifiedName(table.schema(), renamed(name), true);
    sequences.put(old, sequenceName);
    before.add(create + sequenceName.sql() + options);
    after.add(
        "ALTER SEQUENCE "
            + sequenceName.sql()
            + " OWNED BY "
            + table.sql()
            + "."
            + PostgresSql.name(column));
    return stand(at, PostgresSql.text(sequenceName.sql()) + "::pg_catalog.regclass");
  }

  /// @param options of the sequence that an identity column draws from
  /// @param at where that stands; null if nobody may say
  int identity(String column, String options, SequenceValues.@Nullable Position at) {
    identities.put(column, options);
    return stand(
        at,
        "pg_catalog.pg_get_serial_sequence(%s, %s)::pg_catalog.regclass"
            .formatted(PostgresSql.text(table.sql()), PostgresSql.text(column)));
  }

  private int stand(SequenceValues.@Nullable Position at, String sequence) {
    if (at != null && !at.isFresh()) {
      last.add(at.statement(sequence));
    }
    return last.size();
  }

  /// Gives a table without a column that takes values as many rows, once.
  DefinitionStatements filled(long rows) {
    after.add(
        "INSERT INTO %1$s SELECT FROM pg_catalog.generate_series(1, %2$d) WHERE NOT EXISTS (SELECT FROM %1$s)"
            .formatted(table.sql(), rows));
    return this;
  }

  /// Takes in what {@link TableProperties} says of the table.
  int property(String slot, String text) {
    String alter = "ALTER TABLE ONLY " + table.sql() + " ";
    switch (slot) {
      case "UNLOGGED" -> unlogged = true;
      case "WITH" -> suffix.append(text);
      case "ALTER" -> after.add(alter + text);
      case "ATTACH" -> after.add(text);
      case "AFTER" -> last.add(alter + text);
      case "LAST" -> last.add(text);
      default -> last.add(alter + slot + " " + PostgresSql.name(renamed(text)));
    }
    return last.size();
  }

  int column(Column column) {
    StringBuilder sql = new StringBuilder(PostgresSql.name(column.name));
    sql.append(' ').append(column.type);
    if (!column.collation.isEmpty()) {
      sql.append(" COLLATE ").append(column.collation);
    }
    if (!column.generated.isEmpty()) {
      sql.append(" GENERATED ALWAYS AS (")
          .append(column.otherwise)
          .append(column.generated.equals("s") ? ") STORED" : ") VIRTUAL");
    } else if (identities.containsKey(column.name)) {
      sql.append(column.identity.equals("a") ? " GENERATED ALWAYS" : " GENERATED BY DEFAULT")
          .append(" AS IDENTITY (")
          .append(identities.get(column.name))
          .append(')');
    } else if (!column.otherwise.isEmpty()) {
      addDefault(column, sql);
    }
    columns.add(sql + column.notNull);
    return columns.size();
  }

  /// A sequence of somebody else's stays where it is, and so does the default that draws from it,
  /// unless all sequences come along.
  private void addDefault(Column column, StringBuilder sql) {
    if (whole || !column.otherwise.contains("nextval(")) {
      sql.append(" DEFAULT ").append(column.otherwise);
      return;
    }
    for (Map.Entry<String, QualifiedName> each : sequences.entrySet()) {
      if (drawsFrom(column.otherwise, each.getKey())) {
        sql.append(" DEFAULT nextval(")
            .append(PostgresSql.text(each.getValue().sql()))
            .append("::regclass)");
        return;
      }
    }
    leaveOut(LeftOut.of("default", column.otherwise + " of " + column.name, ""));
  }

  /// Whether a default is the next value of a sequence, which it names with no more quotes than it
  /// needs.
  private static boolean drawsFrom(String expression, String sequence) {
    return expression
        .replace("\"", "")
        .equals("nextval('" + sequence.replace("\"", "").replace("'", "''") + "'::regclass)");
  }

  int comment(String column, String text) {
    after.add(
        column.isEmpty()
            ? "COMMENT ON TABLE " + table.sql() + " IS " + PostgresSql.text(text)
            : "COMMENT ON COLUMN "
                + table.sql()
                + "."
                + PostgresSql.name(column)
                + " IS "
                + PostgresSql.text(text));
    return after.size();
  }

  /// @param only whether it is none of the partitions, which have their own
  /// @param definition what follows the table's name
  int index(String name, boolean unique, boolean only, String definition) {
    afterRows.add(
        (unique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
            + PostgresSql.name(renamed(name))
            + (only ? " ON ONLY " : " ON ")
            + table.sql()
            + definition);
    return afterRows.size();
  }

  int constraint(String name, String definition) {
    afterRows.add(addConstraint(name, definition));
    return afterRows.size();
  }

  /// @param referenced the label of the table that it refers to
  int foreignKey(String referenced, String name, String definition) {
    references.add(new CopiedDefinition.Reference(referenced, addConstraint(name, definition)));
    return references.size();
  }

  private String addConstraint(String name, String definition) {
    return "ALTER TABLE "
        + table.sql()
        + " ADD CONSTRAINT "
        + PostgresSql.name(renamed(name))
        + " "
        + definition;
  }

  int leaveOut(LeftOut what) {
    leftOut.add(what);
    return leftOut.size();
  }

  CopiedDefinition definition() {
    List<String> make = new ArrayList<>(before);
    make.add(
        (unlogged ? "CREATE UNLOGGED TABLE " : "CREATE TABLE ")
            + table.sql()
            + (columns.isEmpty() ? " ()" : " (\n  " + String.join(",\n  ", columns) + "\n)")
            + suffix);
    make.addAll(after);
    afterRows.addAll(last);
    return new CopiedDefinition(make, afterRows, references, leftOut);
  }
}
