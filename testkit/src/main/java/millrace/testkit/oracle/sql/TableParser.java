package millrace.testkit.oracle.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraColumn.Generation;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.OraConstraint.Kind;
import millrace.testkit.oracle.catalog.OraType;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.value.ColumnSpec;
import org.jspecify.annotations.Nullable;

/// Reads CREATE TABLE, and the definitions of columns and constraints that ALTER TABLE has, too.
public final class TableParser {

  private static final String[] OPTIONS = {
    "DEFAULT",
    "NOT",
    "NULL",
    "PRIMARY",
    "UNIQUE",
    "CHECK",
    "REFERENCES",
    "CONSTRAINT",
    "GENERATED",
    "ENABLE",
    "DISABLE",
    "VISIBLE",
    "INVISIBLE",
    "ENCRYPT",
    "COLLATE"
  };

  private final TokenReader in;
  private final String schema;
  private final LongSupplier ids;
  private final List<OraColumn> columns = new ArrayList<>();
  private final List<OraConstraint> constraints = new ArrayList<>();
  private final List<String> encrypted = new ArrayList<>();
  private boolean isIndex;
  private boolean isUnlogged;
  private boolean isExternal;
  private @Nullable String cluster;

  /// @param schema the current one
  /// @param ids gives numbers for names that the DDL does not give
  public TableParser(TokenReader in, String schema, LongSupplier ids) {
    this.in = in;
    this.schema = schema;
    this.ids = ids;
  }

  public List<OraColumn> columns() {
    return columns;
  }

  public List<OraConstraint> constraints() {
    return constraints;
  }

  /// The cluster that the table is made in, which nobody has to have made here; null if none is
  /// named.
  public @Nullable String cluster() {
    return cluster;
  }

  /// The columns that are encrypted.
  public List<String> encrypted() {
    return encrypted;
  }

  /// Whether files have its rows, or some of them.
  public boolean isExternal() {
    return isExternal;
  }

  /// Whether direct path leaves its rows out of the redo log.
  public boolean isUnlogged() {
    return isUnlogged;
  }

  /// Reads on behind CREATE.
  public TableDefinition create() throws OraException {
    boolean temporary = in.accept("GLOBAL", "TEMPORARY") || in.accept("PRIVATE", "TEMPORARY");
    in.expect("TABLE");
    boolean ifNotExists = in.accept("IF", "NOT", "EXISTS");
    ObjectName name = in.objectName(schema);
    if (in.accept("(")) {
      do {
        item();
      } while (in.accept(","));
      in.expect(")");
    }
    Partitioning division = null;
    String query = null;
    while (!in.atEnd() && query == null) {
      if (in.accept("ORGANIZATION", "INDEX")) {
        isIndex = true;
      } else if (in.accept("ORGANIZATION", "EXTERNAL")) {
        isExternal = true;
        in.parenthesized();
      } else if (in.accept("EXTERNAL", "PARTITION", "ATTRIBUTES")) {
        isExternal = true;
        in.parenthesized();
      } else if (in.accept("CLUSTER")) {
        cluster = in.name();
        in.parenthesized();
      } else if (in.accept("NOLOGGING")) {
        isUnlogged = true;
      } else if (in.accept("PARTITION", "BY")) {
        division = new PartitionParser(in, ids).read();
      } else if (in.accept("AS")) {
        query = in.rest();
      } else {
        attribute();
      }
    }
    return new TableDefinition(
        name, ifNotExists, temporary, isIndex, columns, constraints, division, query);
  }

  /// How a table is stored changes nothing here, but it must be known.
  private void attribute() throws OraException {
    if (in.accept("LOB")) {
      in.parenthesized();
      in.expect("STORE", "AS");
      in.accept("SECUREFILE");
      in.accept("BASICFILE");
      if (in.peek().is("(")) {
        in.parenthesized();
      }
    } else if (in.accept("ON", "COMMIT")) {
      in.next();
      in.expect("ROWS");
    } else if (!storage(in)) {
      throw in.unexpected("this is not known behind a table");
    }
  }

  /// Takes a word about how something is stored, with its value.
  public static boolean storage(TokenReader in) throws OraException {
    if (in.accept("SEGMENT", "CREATION")) {
      in.next();
    } else if (in.accept("STORAGE") || in.accept("INMEMORY")) {
      if (in.peek().is("(")) {
        in.parenthesized();
      }
    } else if (in.accept("TABLESPACE")) {
      in.name();
    } else if (in.accept("PCTFREE")
        || in.accept("PCTUSED")
        || in.accept("INITRANS")
        || in.accept("MAXTRANS")) {
      in.integer();
    } else if (in.accept("ORGANIZATION")) {
      in.next();
    } else if (in.accept("ENABLE", "ROW", "MOVEMENT") || in.accept("ROW", "STORE")) {
      return true;
    } else if (in.accept("PARALLEL") || in.accept("COMPRESS")) {
      while (in.isInteger()
          || in.peek()
              .isAny("FOR", "BASIC", "OLTP", "ADVANCED", "QUERY", "ARCHIVE", "LOW", "HIGH")) {
        in.next();
      }
    } else {
      return in.accept("LOGGING")
          || in.accept("NOLOGGING")
          || in.accept("NOCOMPRESS")
          || in.accept("NOPARALLEL")
          || in.accept("CACHE")
          || in.accept("NOCACHE")
          || in.accept("MONITORING")
          || in.accept("ONLINE")
          || in.accept("LOCAL")
          || in.accept("REVERSE")
          || in.accept("NOSORT");
    }
    return true;
  }

  /// Takes all that is said about how something is stored.
  public static void skipStorage(TokenReader in) throws OraException {
    boolean more;
    do {
      more = storage(in);
    } while (more);
  }

  /// A column or a constraint.
  public void item() throws OraException {
    if (in.accept("CONSTRAINT")) {
      constraint(in.name(), null);
    } else if (in.peek().isAny("PRIMARY", "UNIQUE", "FOREIGN", "CHECK")
        && in.peek(1).isAny("KEY", "(")) {
      constraint(generatedName(), null);
    } else {
      column();
    }
  }

  private String generatedName() {
    return "SYS_C00" + ids.getAsLong();
  }

  private void column() throws OraException {
    String name = in.name();
    boolean typed = !in.peek().isAny("GENERATED", "AS");
    OraType type = typed ? TypeParser.read(in) : OraType.number(0, ColumnSpec.FLOATING);
    OraColumn column = new OraColumn(name, type, true, null, Generation.NONE);
    int at = columns.size();
    columns.add(column);
    while (!in.peek().isAny(",", ")") && !in.atEnd()) {
      columns.set(at, option(columns.get(at)));
    }
  }

  /// What follows a column's type, one after the other.
  public OraColumn option(OraColumn column) throws OraException {
    if (in.accept("DEFAULT")) {
      boolean onNull = in.accept("ON", "NULL");
      OraColumn with = column.withDefault(in.expression(OPTIONS));
      return onNull ? with.numberedAs(Generation.DEFAULT_ON_NULL).withNullable(false) : with;
    }
    if (in.accept("NOT", "NULL")) {
      notNull(column.name(), generatedName());
      return column.withNullable(false);
    }
    if (in.accept("GENERATED") || in.peek().is("AS")) {
      return generated(column);
    }
    if (in.accept("COLLATE")) {
      in.name();
      return column;
    }
    if (in.accept("INVISIBLE")) {
      return column.hidden();
    }
    if (in.accept("ENCRYPT")) {
      encrypted.add(column.name());
      return column;
    }
    if (in.accept("NULL") || in.accept("VISIBLE") || in.accept("ENABLE") || in.accept("VALIDATE")) {
      return column;
    }
    String name = in.accept("CONSTRAINT") ? in.name() : generatedName();
    if (in.accept("NOT", "NULL")) {
      notNull(column.name(), name);
      return column.withNullable(false);
    }
    Kind kind = constraint(name, column.name());
    return kind == Kind.PRIMARY_KEY ? column.withNullable(false) : column;
  }

  private void notNull(String column, String name) {
    String text = "\"" + column + "\" IS NOT NULL";
    constraints.add(new OraConstraint(name, Kind.CHECK, List.of(column), text, null, true));
  }

  private OraColumn generated(OraColumn column) throws OraException {
    Generation identity = Generation.IDENTITY_ALWAYS;
    if (in.accept("BY", "DEFAULT")) {
      boolean onNull = in.accept("ON", "NULL");
      identity = onNull ? Generation.IDENTITY_BY_DEFAULT_ON_NULL : Generation.IDENTITY_BY_DEFAULT;
    } else {
      in.accept("ALWAYS");
    }
    in.expect("AS");
    if (in.accept("IDENTITY")) {
      String options = in.peek().is("(") ? in.parenthesized() : "";
      return new OraColumn(column.name(), column.type(), false, options, identity);
    }
    String expression = in.parenthesized();
    in.accept("VIRTUAL");
    return new OraColumn(column.name(), column.type(), true, expression, Generation.VIRTUAL);
  }

  /// Reads a constraint behind its name.
  ///
  /// @param column the column that it stands behind; null if it stands alone
  private Kind constraint(String name, @Nullable String column) throws OraException {
    List<String> own = column == null ? List.of() : List.of(column);
    Kind kind;
    String text = null;
    OraConstraint.Reference reference = null;
    if (in.accept("PRIMARY", "KEY")) {
      kind = Kind.PRIMARY_KEY;
      own = column == null ? in.names() : own;
    } else if (in.accept("UNIQUE")) {
      kind = Kind.UNIQUE;
      own = column == null ? in.names() : own;
    } else if (in.accept("CHECK")) {
      kind = Kind.CHECK;
      text = in.parenthesized();
    } else {
      if (column == null) {
        in.expect("FOREIGN", "KEY");
        own = in.names();
      }
      kind = Kind.FOREIGN_KEY;
      reference = reference();
    }
    boolean enabled = state();
    constraints.add(new OraConstraint(name, kind, own, text, reference, enabled));
    return kind;
  }

  private OraConstraint.Reference reference() throws OraException {
    in.expect("REFERENCES");
    ObjectName other = in.objectName(schema);
    List<String> key = in.peek().is("(") ? in.names() : List.of();
    String rule = "NO ACTION";
    if (in.accept("ON", "DELETE")) {
      rule = in.accept("CASCADE") ? "CASCADE" : "SET NULL";
      if (rule.equals("SET NULL")) {
        in.expect("SET", "NULL");
      }
    }
    return new OraConstraint.Reference(other.schema(), other.name(), "", key, rule);
  }

  /// Whether a constraint is enabled; what else may follow it changes nothing here.
  private boolean state() throws OraException {
    boolean enabled = true;
    while (true) {
      if (in.accept("DISABLE")) {
        enabled = false;
      } else if (in.accept("USING", "INDEX")) {
        skipStorage(in);
      } else if (!in.accept("ENABLE")
          && !in.accept("VALIDATE")
          && !in.accept("NOVALIDATE")
          && !in.accept("RELY")
          && !in.accept("INITIALLY", "IMMEDIATE")
          && !in.accept("INITIALLY", "DEFERRED")
          && !in.accept("DEFERRABLE")
          && !in.accept("NOT", "DEFERRABLE")) {
        return enabled;
      }
    }
  }
}
