package millrace.testkit.oracle.engine;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.OraType;
import millrace.testkit.oracle.rules.TableLocks;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.TableParser;
import millrace.testkit.oracle.sql.TokenReader;
import millrace.testkit.oracle.sql.TypeParser;
import org.jspecify.annotations.Nullable;

/// ALTER TABLE.
final class AlterTable {

  private final OraSession session;
  private final OraCatalog catalog;
  private final TokenReader in;

  AlterTable(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
    catalog = session.database().catalog();
  }

  void run() throws OraException, SQLException {
    OraTable table = session.names().table(in.objectName(session.settings().schema));
    session.rights().check("ALTER", table);
    session.lock(table, TableLocks.Mode.EXCLUSIVE, 0);
    while (!in.atEnd()) {
      clause(table);
    }
    table.setChanged();
  }

  private void clause(OraTable table) throws OraException, SQLException {
    if (in.accept("RENAME", "TO")) {
      rename(session, table, in.name());
    } else if (in.accept("RENAME", "COLUMN")) {
      renameColumn(table);
    } else if (in.accept("RENAME", "CONSTRAINT")) {
      renameConstraint(table);
    } else if (in.peek().is("ADD") && in.peek(1).is("PARTITION")) {
      in.expect("ADD");
      new PartitionDdl(session, in).add(table);
    } else if (in.accept("ADD", "SUPPLEMENTAL", "LOG", "GROUP")) {
      table.attached().add(List.of("LOG_GROUP", in.name()));
      in.parenthesized();
      in.accept("ALWAYS");
    } else if (in.accept("FLASHBACK", "ARCHIVE")) {
      table.attached().add(List.of("ARCHIVE", in.name()));
    } else if (in.accept("NOLOGGING")) {
      table.setUnlogged(true);
    } else if (in.accept("ADD")) {
      add(table);
    } else if (in.accept("DROP")) {
      drop(table);
    } else if (in.accept("MODIFY")) {
      modify(table);
    } else if (in.accept("TRUNCATE", "PARTITION")) {
      new PartitionDdl(session, in).truncate(table, in.name());
    } else if (in.accept("ENABLE")) {
      enable(table, true);
    } else if (in.accept("DISABLE")) {
      enable(table, false);
    } else if (in.accept("MOVE") || TableParser.storage(in)) {
      return;
    } else {
      throw in.unexpected("this is not known in ALTER TABLE");
    }
  }

  static void rename(OraSession session, OraTable table, String name)
      throws OraException, SQLException {
    OraCatalog catalog = session.database().catalog();
    TableDdl.checkCompatible(catalog, name, null);
    if (table.attached().stream().anyMatch(each -> each.getFirst().equals("ARCHIVE"))) {
      throw new OraException(55610, "Invalid DDL statement on history-tracked table");
    }
    if (catalog.table(table.schema(), name) != null) {
      throw new OraException(955, "name is already used by an existing object");
    }
    Enforcement.execute(
        session, "ALTER TABLE " + Enforcement.name(table) + " RENAME TO " + ObjectName.quote(name));
    String before = table.name();
    catalog.rename(table, name);
    for (OraTable other : catalog.tables()) {
      for (OraConstraint constraint : List.copyOf(other.constraints())) {
        OraConstraint.Reference to = constraint.reference();
        if (to != null && to.schema().equals(table.schema()) && to.table().equals(before)) {
          OraConstraint.Reference now =
              new OraConstraint.Reference(
                  to.schema(), name, to.constraint(), to.columns(), to.deleteRule());
          other.put(
              new OraConstraint(
                  constraint.name(),
                  constraint.kind(),
                  constraint.columns(),
                  null,
                  now,
                  constraint.enabled()));
        }
      }
    }
  }

  private static OraColumn column(OraTable table, String name) throws OraException {
    OraColumn column = table.column(name);
    if (column == null) {
      throw new OraException(904, "\"" + name + "\": invalid identifier");
    }
    return column;
  }

  private static void replace(OraTable table, String name, @Nullable OraColumn now) {
    List<OraColumn> columns = new ArrayList<>();
    for (OraColumn column : table.columns()) {
      if (!column.name().equals(name)) {
        columns.add(column);
      } else if (now != null) {
        columns.add(now);
      }
    }
    table.setColumns(columns);
  }

  private void alter(OraTable table, String what) throws SQLException {
    Enforcement.execute(session, "ALTER TABLE " + Enforcement.name(table) + " " + what);
  }

  private void renameColumn(OraTable table) throws OraException, SQLException {
    OraColumn column = column(table, in.name());
    in.expect("TO");
    String name = in.name();
    alter(
        table,
        "ALTER COLUMN " + ObjectName.quote(column.name()) + " RENAME TO " + ObjectName.quote(name));
    replace(table, column.name(), column.renamed(name));
  }

  private void renameConstraint(OraTable table) throws OraException, SQLException {
    OraConstraint constraint = constraint(table, in.name());
    in.expect("TO");
    String name = in.name();
    alter(
        table,
        "RENAME CONSTRAINT "
            + ObjectName.quote(constraint.name())
            + " TO "
            + ObjectName.quote(name));
    table.constraints().removeIf(each -> each.name().equals(constraint.name()));
    table.put(constraint.renamed(name));
  }

  private static OraConstraint constraint(OraTable table, String name) throws OraException {
    OraConstraint constraint = table.constraint(name);
    if (constraint == null) {
      throw new OraException(2443, "Cannot drop constraint - nonexistent constraint");
    }
    return constraint;
  }

  private void add(OraTable table) throws OraException, SQLException {
    TableParser parser = new TableParser(in, session.settings().schema, catalog::nextObjectId);
    boolean list = in.accept("(");
    do {
      parser.item();
    } while (list && in.accept(","));
    if (list) {
      in.expect(")");
    }
    for (OraColumn column : parser.columns()) {
      if (table.column(column.name()) != null) {
        throw new OraException(1430, "column being added already exists in table");
      }
      TableDdl.checkCompatible(catalog, column.name(), column);
      addColumn(table, column);
    }
    for (OraConstraint constraint : parser.constraints()) {
      ConstraintDdl.add(session, table, constraint);
    }
  }

  /// H2 puts a column behind the last; behind the hidden ones nothing may come.
  private void addColumn(OraTable table, OraColumn column) throws OraException, SQLException {
    if (!column.nullable() && column.defaultText() == null && rows(table) > 0) {
      throw new OraException(1758, "table must be empty to add mandatory (NOT NULL) column");
    }
    String before = table.partitioning() == null ? "" : " BEFORE \"ORA$PART\"";
    List<OraColumn> columns = new ArrayList<>(table.columns());
    columns.add(column);
    alter(table, "ADD COLUMN " + TableDdl.column(session, column) + before);
    table.setColumns(columns);
  }

  private long rows(OraTable table) {
    return new SessionContext(session).rowCount(table);
  }

  private void drop(OraTable table) throws OraException, SQLException {
    if (in.accept("CONSTRAINT")) {
      dropConstraint(table, constraint(table, in.name()));
    } else if (in.accept("PRIMARY", "KEY")) {
      dropConstraint(table, primaryKey(table));
    } else if (in.accept("PARTITION")) {
      new PartitionDdl(session, in).drop(table, in.name());
    } else {
      boolean list = !in.accept("COLUMN");
      List<String> names = list ? in.names() : List.of(in.name());
      for (String name : names) {
        column(table, name);
        alter(table, "DROP COLUMN " + ObjectName.quote(name));
        replace(table, name, null);
        table.constraints().removeIf(each -> each.columns().contains(name));
        table.indexes().removeIf(each -> each.columns().contains(name));
      }
      in.accept("CASCADE", "CONSTRAINTS");
    }
  }

  private static OraConstraint primaryKey(OraTable table) throws OraException {
    for (OraConstraint each : table.constraints()) {
      if (each.kind() == OraConstraint.Kind.PRIMARY_KEY) {
        return each;
      }
    }
    throw new OraException(2441, "Cannot drop nonexistent primary key");
  }

  private void dropConstraint(OraTable table, OraConstraint constraint)
      throws OraException, SQLException {
    in.accept("CASCADE");
    if (!in.accept("DROP", "INDEX")) {
      in.accept("KEEP", "INDEX");
    }
    Enforcement.drop(session, table, constraint);
    table.constraints().removeIf(each -> each.name().equals(constraint.name()));
    if (constraint.kind().isKey()) {
      table.indexes().removeIf(each -> each.name().equals(constraint.name()));
    }
    String text = constraint.text();
    if (text != null && TableDdl.isNotNull(text)) {
      String name = constraint.columns().getFirst();
      replace(table, name, column(table, name).withNullable(true));
    }
    if (constraint.kind() == OraConstraint.Kind.PRIMARY_KEY) {
      allowNulls(table, constraint);
    }
  }

  /// Columns may be null again that may not only because of a primary key.
  private void allowNulls(OraTable table, OraConstraint key) throws OraException, SQLException {
    for (String name : key.columns()) {
      boolean elsewhere =
          table.constraints().stream()
              .anyMatch(each ->
                  each.columns().equals(List.of(name))
                      && TableDdl.isNotNull(String.valueOf(each.text())));
      if (!elsewhere) {
        Enforcement.setNullable(session, table, name, true);
        replace(table, name, column(table, name).withNullable(true));
      }
    }
  }

  private void modify(OraTable table) throws OraException, SQLException {
    if (in.accept("CONSTRAINT")) {
      in.name();
      in.next();
      return;
    }
    boolean list = in.accept("(");
    do {
      modifyColumn(table);
    } while (list && in.accept(","));
    if (list) {
      in.expect(")");
    }
  }

  private void modifyColumn(OraTable table) throws OraException, SQLException {
    OraColumn column = column(table, in.name());
    boolean typed =
        in.peek().isName() && !in.peek().isAny("NOT", "NULL", "DEFAULT", "CONSTRAINT", "GENERATED");
    OraColumn now = column;
    if (typed) {
      OraType type = TypeParser.read(in);
      String quoted = ObjectName.quote(column.name());
      try {
        alter(table, "ALTER COLUMN " + quoted + " SET DATA TYPE " + type.h2());
      } catch (SQLException e) {
        throw new OraException(
            1440, "column to be modified must be empty to decrease precision or scale", e);
      }
      now = column.withType(type);
    }
    TableParser parser = new TableParser(in, session.settings().schema, catalog::nextObjectId);
    while (!in.peek().isAny(",", ")") && !in.atEnd()) {
      if (in.accept("NULL")) {
        now = now.withNullable(true);
        continue;
      }
      now = parser.option(now);
      if (!now.nullable() && column.nullable() && !now.generation().isIdentity()) {
        checkFilled(table, column);
      }
    }
    replace(table, column.name(), IdentityDdl.modified(session, table, column, now));
    for (OraConstraint constraint : parser.constraints()) {
      ConstraintDdl.add(session, table, constraint);
    }
  }

  private void checkFilled(OraTable table, OraColumn column) throws OraException, SQLException {
    String sql =
        "SELECT 1 FROM %s WHERE %s IS NULL FETCH FIRST 1 ROWS ONLY"
            .formatted(Enforcement.name(table), ObjectName.quote(column.name()));
    try (Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (rows.next()) {
        throw new OraException(2296, "cannot enable (" + table.schema() + ".) - null values found");
      }
    }
  }

  /// Behind ENABLE or DISABLE.
  private void enable(OraTable table, boolean on) throws OraException, SQLException {
    boolean validate = !in.accept("NOVALIDATE");
    in.accept("VALIDATE");
    if (in.accept("ALL", "TRIGGERS")) {
      TriggerDdl.enable(session, table, on);
      return;
    }
    if (in.accept("ROW", "MOVEMENT")) {
      return;
    }
    OraConstraint constraint = in.accept("PRIMARY", "KEY") ? primaryKey(table) : named(table);
    in.accept("CASCADE");
    if (on == constraint.enabled()) {
      return;
    }
    try {
      if (on && validate) {
        Enforcement.add(session, table, TableDdl.inH2(session, constraint));
      } else if (!on) {
        Enforcement.drop(session, table, constraint);
      }
    } catch (SQLException e) {
      throw ConstraintDdl.invalid(e, table, constraint);
    }
    table.put(constraint.withEnabled(on));
  }

  private OraConstraint named(OraTable table) throws OraException {
    in.expect("CONSTRAINT");
    return constraint(table, in.name());
  }
}
