package millrace.testkit.oracle.rules;

import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import org.h2.api.ErrorCode;
import org.jspecify.annotations.Nullable;

/// Says in Oracle's words what H2 refuses.
public final class H2Errors {

  private static final Pattern CONSTRAINT =
      Pattern.compile("\"+(?:\"?[^\".]+\"*\\.)?\"*([^\".: ]+)");
  private static final Pattern COLUMN = Pattern.compile("column \"([^ \"]+)");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
  private static final Pattern TOO_LONG =
      Pattern.compile("column \"+([^ \"]+)\"* ([A-Z ]+)\\((\\d+).*\\((\\d+)\\)\"", Pattern.DOTALL);

  private H2Errors() {}

  /// What H2 refused, as Oracle says it.
  ///
  /// @param table what was written; null if that is not known
  /// @param update whether rows were changed rather than added
  public static OraException of(
      SQLException failure, String sql, @Nullable OraTable table, boolean update) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OraException own) {
        return own;
      }
    }
    String message = String.valueOf(failure.getMessage());
    String schema = table == null ? "SYS" : table.schema();
    OraException found = constraint(failure.getErrorCode(), message, schema, table, update);
    if (found == null) {
      found = value(failure.getErrorCode(), message, table);
    }
    if (found == null) {
      found = statement(failure.getErrorCode(), message, sql);
    }
    found.initCause(failure);
    return found;
  }

  private static @Nullable OraException constraint(
      int code, String message, String schema, @Nullable OraTable table, boolean update) {
    String name = "(" + schema + "." + first(CONSTRAINT, message) + ")";
    return switch (code) {
      case ErrorCode.DUPLICATE_KEY_1 ->
          message.contains("Merge using")
              ? new OraException(30926, "unable to get a stable set of rows in the source tables")
              : new OraException(1, "unique constraint " + name + " violated");
      case ErrorCode.NULL_NOT_ALLOWED -> nullNotAllowed(table, first(COLUMN, message), update);
      case ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_PARENT_MISSING_1 ->
          new OraException(
              2291, "integrity constraint " + name + " violated - parent key not found");
      case ErrorCode.REFERENTIAL_INTEGRITY_VIOLATED_CHILD_EXISTS_1 ->
          new OraException(2292, "integrity constraint " + name + " violated - child record found");
      case ErrorCode.CHECK_CONSTRAINT_VIOLATED_1 ->
          new OraException(2290, "check constraint " + name + " violated");
      case ErrorCode.GENERATED_COLUMN_CANNOT_BE_ASSIGNED_1 ->
          new OraException(
              32795, "cannot insert into a generated always identity column, or a virtual one");
      default -> null;
    };
  }

  public static OraException nullNotAllowed(
      @Nullable OraTable table, String column, boolean update) {
    String owner = table == null ? "" : table.schema();
    String name = table == null ? "" : table.name();
    String place = "(\"%s\".\"%s\".\"%s\")".formatted(owner, name, column);
    return update
        ? new OraException(1407, "cannot update " + place + " to NULL")
        : new OraException(1400, "cannot insert NULL into " + place);
  }

  private static @Nullable OraException value(int code, String message, @Nullable OraTable table) {
    return switch (code) {
      case ErrorCode.DATA_CONVERSION_ERROR_1 -> conversion(message);
      case ErrorCode.INVALID_DATETIME_CONSTANT_2 ->
          new OraException(1861, "literal does not match format string");
      case ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_1, ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_2 ->
          tooLarge();
      case ErrorCode.VALUE_TOO_LONG_2 -> tooLong(message, table);
      case ErrorCode.DIVISION_BY_ZERO_1 -> new OraException(1476, "divisor is equal to zero");
      case ErrorCode.SCALAR_SUBQUERY_CONTAINS_MORE_THAN_ONE_ROW ->
          new OraException(1427, "single-row subquery returns more than one row");
      default -> null;
    };
  }

  public static OraException tooLarge() {
    return new OraException(1438, "value larger than specified precision allowed for this column");
  }

  private static OraException conversion(String message) {
    String upper = message.toUpperCase(Locale.ROOT);
    if (upper.contains("TIMESTAMP") || upper.contains("DATE")) {
      return new OraException(1861, "literal does not match format string");
    }
    if (upper.contains("BINARY") || upper.contains("BLOB")) {
      return new OraException(1465, "invalid hex number");
    }
    return new OraException(1722, "invalid number");
  }

  private static OraException tooLong(String message, @Nullable OraTable table) {
    Matcher found = TOO_LONG.matcher(message);
    if (!found.find() || found.group(2).contains("NUMERIC")) {
      return tooLarge();
    }
    return tooLong(
        table, found.group(1), Integer.parseInt(found.group(4)), Integer.parseInt(found.group(3)));
  }

  public static OraException tooLong(
      @Nullable OraTable table, String column, int actual, int most) {
    return new OraException(
        12899,
        "value too large for column \"%s\".\"%s\".\"%s\" (actual: %d, maximum: %d)"
            .formatted(
                table == null ? "" : table.schema(),
                table == null ? "" : table.name(),
                column,
                actual,
                most));
  }

  private static OraException statement(int code, String message, String sql) {
    String name = first(QUOTED, message);
    return switch (code) {
      case ErrorCode.TABLE_OR_VIEW_NOT_FOUND_1,
          ErrorCode.TABLE_OR_VIEW_NOT_FOUND_WITH_CANDIDATES_2 ->
          new OraException(942, "table or view \"" + name + "\" does not exist");
      case ErrorCode.COLUMN_NOT_FOUND_1,
          ErrorCode.FUNCTION_NOT_FOUND_1,
          ErrorCode.SCHEMA_NOT_FOUND_1 ->
          new OraException(904, "\"" + name + "\": invalid identifier");
      case ErrorCode.TABLE_OR_VIEW_ALREADY_EXISTS_1,
          ErrorCode.INDEX_ALREADY_EXISTS_1,
          ErrorCode.SEQUENCE_ALREADY_EXISTS_1 ->
          new OraException(955, "name is already used by an existing object");
      case ErrorCode.DUPLICATE_COLUMN_NAME_1 -> new OraException(957, "duplicate column name");
      case ErrorCode.AMBIGUOUS_COLUMN_NAME_1 ->
          new OraException(918, name + ": column ambiguously specified");
      case ErrorCode.SEQUENCE_NOT_FOUND_1 -> new OraException(2289, "sequence does not exist");
      case ErrorCode.COLUMN_COUNT_DOES_NOT_MATCH -> new OraException(913, "too many values");
      case ErrorCode.MUST_GROUP_BY_COLUMN_1 ->
          new OraException(979, "\"" + name + "\": must appear in the GROUP BY clause");
      case ErrorCode.DEADLOCK_1 ->
          new OraException(60, "deadlock detected while waiting for resource");
      case ErrorCode.LOCK_TIMEOUT_1 -> TableLocks.busy();
      case ErrorCode.STATEMENT_WAS_CANCELED -> cancelled();
      case ErrorCode.INVALID_NAME_1, ErrorCode.SAVEPOINT_IS_INVALID_1 ->
          new OraException(1086, "savepoint " + name + " never established in this session");
      default ->
          new OraException(
              900,
              "invalid SQL statement, or one that the stand-in does not know: "
                  + sql
                  + " ["
                  + message
                  + "]");
    };
  }

  public static OraException cancelled() {
    return new OraException(1013, "user requested cancel of current operation");
  }

  private static String first(Pattern pattern, String message) {
    Matcher found = pattern.matcher(message);
    return found.find() ? found.group(1) : "?";
  }
}
