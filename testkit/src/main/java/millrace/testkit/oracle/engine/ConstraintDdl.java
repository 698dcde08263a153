package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.OraTable;
import org.h2.api.ErrorCode;

/// Adds constraints to tables that are there.
final class ConstraintDdl {
  private ConstraintDdl() {}

  /// Adds one that no definition of a table has.
  static void add(OraSession session, OraTable table, OraConstraint constraint)
      throws OraException, SQLException {
    if (table.constraint(constraint.name()) != null) {
      throw new OraException(2264, "name already used by an existing constraint");
    }
    boolean second =
        constraint.kind() == OraConstraint.Kind.PRIMARY_KEY
            && table.constraints().stream()
                .anyMatch(each -> each.kind() == OraConstraint.Kind.PRIMARY_KEY);
    if (second) {
      throw new OraException(2260, "table can have only one primary key");
    }
    for (OraConstraint each : table.constraints()) {
      if (each.columns().equals(constraint.columns()) && each.kind() == constraint.kind()) {
        checkOther(each, constraint);
      }
    }
    try {
      TableDdl.addConstraint(session, table, constraint);
    } catch (SQLException e) {
      throw invalid(e, table, constraint);
    }
  }

  private static void checkOther(OraConstraint there, OraConstraint added) throws OraException {
    OraConstraint.Reference to = there.reference();
    OraConstraint.Reference other = added.reference();
    if (added.kind().isKey()) {
      throw new OraException(2261, "such unique or primary key already exists in the table");
    }
    if (to != null
        && other != null
        && to.schema().equals(other.schema())
        && to.table().equals(other.table())) {
      throw new OraException(2275, "such a referential constraint already exists in the table");
    }
  }

  /// Rows that are there do not keep to a constraint.
  static OraException invalid(SQLException e, OraTable table, OraConstraint constraint)
      throws SQLException {
    String name = "(" + table.schema() + "." + constraint.name() + ")";
    return switch (e.getErrorCode()) {
      case ErrorCode.DUPLICATE_KEY_1 ->
          constraint.kind() == OraConstraint.Kind.PRIMARY_KEY
              ? new OraException(2437, "cannot validate " + name + " - primary key violated", e)
              : new OraException(2299, "cannot validate " + name + " - duplicate keys found", e);
      case ErrorCode.NULL_NOT_ALLOWED, ErrorCode.COLUMN_CONTAINS_NULL_VALUES_1 ->
          new OraException(2437, "cannot validate " + name + " - primary key violated", e);
      case ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_PARENT_MISSING_1 ->
          new OraException(2298, "cannot validate " + name + " - parent keys not found", e);
      case ErrorCode.CHECK_CONSTRAINT_VIOLATED_1 ->
          new OraException(2293, "cannot validate " + name + " - check constraint violated", e);
      default -> throw e;
    };
  }
}
