package millrace.testkit.oracle.rules;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraColumn.Generation;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.OraType;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.value.ColumnSpec;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/// Oracle's rules for the values of a row, on each row that comes into a table by any statement:
/// empty text is null, lengths count in bytes, numbers have their digits, and a partition takes it.
///
/// H2 makes one object for each table, and calls it on the thread of the statement.
public final class RowRules implements Trigger {

  private static final Map<String, Subject> SUBJECTS = new ConcurrentHashMap<>();
  private static final AtomicLong LOADS = new AtomicLong();
  private static final int LARGEST_EXPONENT = 126;
  private static final double DECIMAL_DIGITS_OF_A_BIT = 0.30103;

  /// The partition or subpartition that the statement of this thread names.
  private static final ThreadLocal<@Nullable String> EXPECTED = new ThreadLocal<>();

  private @Nullable Subject subject;

  /// A table, and the columns that get no value from the statement but a default later on.
  private record Subject(OraTable table, Set<String> unset) {}

  /// Makes the trigger of a table.
  public static void create(int database, OraTable table, Statement statement) throws SQLException {
    String name = prefix(database) + table.objectId();
    create(
        name,
        new Subject(table, Set.of()),
        new ObjectName(table.schema(), table.name()).h2(),
        statement);
  }

  /// Makes the trigger of the table in which rows of a load wait.
  ///
  /// @param loaded the columns that the load fills
  public static void createForLoad(
      int database, OraTable table, Set<String> loaded, String stage, Statement statement)
      throws SQLException {
    Set<String> unset = new HashSet<>();
    for (OraColumn column : table.columns()) {
      boolean filled = column.defaultText() != null || column.generation() != Generation.NONE;
      if (filled && !loaded.contains(column.name())) {
        unset.add(column.name());
      }
    }
    String name = prefix(database) + "LOAD_" + LOADS.incrementAndGet();
    create(name, new Subject(table, unset), stage, statement);
  }

  private static void create(String name, Subject subject, String h2Table, Statement statement)
      throws SQLException {
    SUBJECTS.put(name, subject);
    String schema = h2Table.substring(0, h2Table.indexOf('.'));
    statement.execute(
        "CREATE TRIGGER %s.%s BEFORE INSERT, UPDATE ON %s FOR EACH ROW CALL '%s'"
            .formatted(schema, ObjectName.quote(name), h2Table, RowRules.class.getName()));
  }

  /// Rows that this thread's statements insert have to belong there from now on: ORA-14401.
  ///
  /// @param part null if they may belong anywhere
  public static void expect(@Nullable String part) {
    EXPECTED.set(part);
  }

  private static String prefix(int database) {
    return "ORA$RULES_" + database + "_";
  }

  /// Forgets the tables of a database that is closed.
  public static void forget(int database) {
    SUBJECTS.keySet().removeIf(name -> name.startsWith(prefix(database)));
  }

  @Override
  public void init(
      Connection connection, String schema, String trigger, String name, boolean before, int type) {
    subject = SUBJECTS.get(trigger);
  }

  @Override
  public void fire(
      Connection connection, @Nullable Object @Nullable [] old, @Nullable Object @Nullable [] row)
      throws SQLException {
    Subject of = subject;
    if (row == null || of == null) {
      return;
    }
    OraTable own = of.table();
    try {
      List<OraColumn> columns = own.columns();
      for (int i = 0; i < columns.size(); i++) {
        Object value = row[i];
        Object checked = value == null ? null : check(own, columns.get(i), value);
        row[i] = checked;
        if (checked == null
            && !columns.get(i).nullable()
            && !of.unset().contains(columns.get(i).name())) {
          throw H2Errors.nullNotAllowed(own, columns.get(i).name(), old != null);
        }
      }
      Partitioning division = own.partitioning();
      if (division != null) {
        place(division, columns, row);
      }
    } catch (OraException e) {
      throw OraFunctions.error(e);
    }
  }

  private static @Nullable Object check(OraTable table, OraColumn column, Object value)
      throws OraException {
    OraType type = column.type();
    return switch (value) {
      case String text when text.isEmpty() -> null;
      case String text when type.kind().isShortText() -> {
        int length = type.measure(type.kind().isBlankPadded() ? text.stripTrailing() : text);
        if (length > type.length()) {
          throw H2Errors.tooLong(table, column.name(), length, type.length());
        }
        yield text;
      }
      case byte[] bytes when bytes.length == 0 -> null;
      case byte[] bytes when bytes.length > type.length() && type.length() > 0 ->
          throw H2Errors.tooLong(table, column.name(), bytes.length, type.length());
      case BigDecimal number -> number(type, number);
      default -> value;
    };
  }

  /// The number with the digits that its type keeps.
  public static BigDecimal number(OraType type, BigDecimal value) throws OraException {
    if (value.precision() - value.scale() > LARGEST_EXPONENT) {
      throw new OraException(1426, "numeric overflow");
    }
    BigDecimal fit = value;
    if (type.scale() == ColumnSpec.FLOATING || type.kind().name().equals("FLOAT")) {
      int digits = (int) Math.ceil(type.precision() * DECIMAL_DIGITS_OF_A_BIT);
      fit = type.precision() == 0 ? value : value.round(new MathContext(digits));
    } else if (value.scale() > type.scale()) {
      fit = value.setScale(type.scale(), RoundingMode.HALF_UP);
    }
    boolean limited = type.scale() != ColumnSpec.FLOATING && type.precision() > 0;
    if (limited
        && fit.signum() != 0
        && fit.precision() - fit.scale() > type.precision() - type.scale()) {
      throw H2Errors.tooLarge();
    }
    // The same number stays the same object, so that H2 need not convert it again.
    return fit.compareTo(value) == 0 ? value : fit;
  }

  /// Writes the row's partition into the columns behind the table's own.
  private static void place(Partitioning division, List<OraColumn> columns, @Nullable Object[] row)
      throws OraException {
    String part = division.find(key(division.columns(), columns, row));
    if (part == null) {
      throw new OraException(14400, "inserted partition key does not map to any partition");
    }
    String sub = division.findSub(part, key(division.subColumns(), columns, row));
    String expected = EXPECTED.get();
    if (expected != null && !expected.equals(part) && !expected.equals(sub)) {
      throw new OraException(14401, "inserted partition key is outside specified partition");
    }
    // Rows of a load have no place yet.
    if (row.length > columns.size()) {
      row[columns.size()] = part;
    }
    if (row.length > columns.size() + 1) {
      row[columns.size() + 1] = sub;
    }
  }

  private static List<@Nullable Object> key(
      List<String> names, List<OraColumn> columns, @Nullable Object[] row) {
    List<@Nullable Object> key = new ArrayList<>();
    for (String name : names) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).name().equals(name)) {
          key.add(row[i]);
        }
      }
    }
    return key;
  }
}
