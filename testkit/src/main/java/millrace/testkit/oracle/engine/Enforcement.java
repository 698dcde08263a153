package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.sql.ObjectName;
import org.h2.api.ErrorCode;

/// Has H2 keep to constraints and indexes, or no longer.
final class Enforcement {
  private Enforcement() {}

  /// An index is not kept up to date any more.
  ///
  /// @param part the only partition or subpartition of a local one; {@link OraIndex#WHOLE} if all
  static void drop(OraSession session, OraTable table, OraIndex index, String part)
      throws SQLException, OraException {
    table.put(index.leftBehind(table, part));
    if (!index.usable()) {
      return;
    }
    OraConstraint key = table.constraint(index.name());
    if (key != null) {
      drop(session, table, key);
    } else {
      execute(session, "DROP INDEX IF EXISTS " + new ObjectName(table.schema(), index.name()).h2());
    }
  }

  static void drop(OraSession session, OraTable table, OraConstraint constraint)
      throws SQLException {
    execute(
        session,
        "ALTER TABLE "
            + name(table)
            + " DROP CONSTRAINT IF EXISTS "
            + ObjectName.quote(constraint.name()));
  }

  /// An index is built again.
  ///
  /// @throws OraException ORA-01452 if rows are not unique
  static void build(OraSession session, OraTable table, OraIndex index)
      throws SQLException, OraException {
    OraConstraint key = table.constraint(index.name());
    try {
      if (key != null) {
        add(session, table, key);
      } else {
        execute(session, createIndex(table, index));
      }
    } catch (SQLException e) {
      if (e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1) {
        throw new OraException(1452, "cannot CREATE UNIQUE INDEX; duplicate keys found", e);
      }
      throw e;
    }
    table.put(index.rebuilt(OraIndex.WHOLE));
  }

  static String createIndex(OraTable table, OraIndex index) {
    List<String> columns = new ArrayList<>();
    for (String column : index.columns()) {
      columns.add(ObjectName.quote(column));
    }
    return "CREATE "
        + (index.unique() ? "UNIQUE " : "")
        + "INDEX "
        + new ObjectName(table.schema(), index.name()).h2()
        + " ON "
        + name(table)
        + " ("
        + String.join(", ", columns)
        + ")";
  }

  /// A constraint holds from now on.
  static void add(OraSession session, OraTable table, OraConstraint constraint)
      throws SQLException {
    if (constraint.kind() == OraConstraint.Kind.PRIMARY_KEY) {
      for (String column : constraint.columns()) {
        setNullable(session, table, column, false);
      }
    }
    execute(session, "ALTER TABLE " + name(table) + " ADD " + definition(constraint));
  }

  /// Whether H2 takes nulls into a column; it must not for a primary key.
  static void setNullable(OraSession session, OraTable table, String column, boolean may)
      throws SQLException {
    String what = may ? " DROP NOT NULL" : " SET NOT NULL";
    execute(
        session, "ALTER TABLE " + name(table) + " ALTER COLUMN " + ObjectName.quote(column) + what);
  }

  /// As H2's DDL has it.
  static String definition(OraConstraint constraint) {
    List<String> quoted = new ArrayList<>();
    constraint.columns().forEach(column -> quoted.add(ObjectName.quote(column)));
    String columns = " (" + String.join(", ", quoted) + ")";
    String rule =
        switch (constraint.kind()) {
          case PRIMARY_KEY -> "PRIMARY KEY" + columns;
          case UNIQUE -> "UNIQUE" + columns;
          case CHECK -> "CHECK (" + constraint.text() + ")";
          case FOREIGN_KEY -> "FOREIGN KEY" + columns + references(constraint);
        };
    return "CONSTRAINT " + ObjectName.quote(constraint.name()) + " " + rule;
  }

  private static String references(OraConstraint constraint) {
    OraConstraint.Reference reference = constraint.reference();
    if (reference == null) {
      throw new IllegalStateException("a foreign key without a reference");
    }
    String rule =
        reference.deleteRule().equals("NO ACTION") ? "" : " ON DELETE " + reference.deleteRule();
    List<String> quoted = new ArrayList<>();
    reference.columns().forEach(column -> quoted.add(ObjectName.quote(column)));
    return " REFERENCES "
        + new ObjectName(reference.schema(), reference.table()).h2()
        + " ("
        + String.join(", ", quoted)
        + ")"
        + rule;
  }

  static String name(OraTable table) {
    return new ObjectName(table.schema(), table.name()).h2();
  }

  static void execute(OraSession session, String sql) throws SQLException {
    try (Statement statement = session.connection().createStatement()) {
      statement.execute(sql);
    }
  }
}
