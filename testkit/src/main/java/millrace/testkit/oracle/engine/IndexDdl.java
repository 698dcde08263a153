package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.TableParser;
import millrace.testkit.oracle.sql.TokenReader;
import org.h2.api.ErrorCode;

/// DDL of indexes.
final class IndexDdl {

  private final OraSession session;
  private final OraCatalog catalog;
  private final String schema;
  private final TokenReader in;

  IndexDdl(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
    catalog = session.database().catalog();
    schema = session.settings().schema;
  }

  /// Reads on behind CREATE.
  void create() throws OraException, SQLException {
    boolean unique = in.accept("UNIQUE");
    in.accept("BITMAP");
    in.expect("INDEX");
    ObjectName name = in.objectName(schema);
    if (catalog.tableOfIndex(name.schema(), name.name()) != null) {
      throw new OraException(955, "name is already used by an existing object");
    }
    in.expect("ON");
    OraTable table = session.names().table(in.objectName(schema));
    session.rights().check("INDEX", table);
    in.expect("(");
    List<String> columns = new ArrayList<>();
    Set<String> falling = new HashSet<>();
    do {
      String column = plain(in.expression("ASC", "DESC"));
      if (!in.accept("ASC") && in.accept("DESC")) {
        falling.add(column);
      }
      columns.add(column);
    } while (in.accept(","));
    in.expect(")");
    boolean usable = true;
    boolean local = false;
    while (!in.atEnd()) {
      if (in.accept("UNUSABLE")) {
        usable = false;
      } else if (in.accept("LOCAL")) {
        local = true;
      } else if (!in.accept("INVISIBLE") && !TableParser.storage(in)) {
        throw in.unexpected("this is not known behind an index");
      }
    }
    if (local && table.partitioning() == null) {
      throw new OraException(
          14016, "underlying table of a LOCAL partitioned index must be partitioned");
    }
    long id = catalog.nextObjectId();
    OraIndex made = new OraIndex(name.name(), id, unique, columns, falling, local, Set.of());
    OraIndex index = usable ? made : made.leftBehind(table, OraIndex.WHOLE);
    if (usable && isPlain(table, index)) {
      build(table, index);
    }
    table.put(index);
    table.setChanged();
  }

  private static String plain(String column) {
    return column.startsWith("\"") ? column.replace("\"", "") : column.toUpperCase(Locale.ROOT);
  }

  /// H2 indexes columns only; an index of expressions is no more than known.
  private static boolean isPlain(OraTable table, OraIndex index) {
    return index.columns().stream().allMatch(column -> table.column(column) != null);
  }

  private void build(OraTable table, OraIndex index) throws OraException, SQLException {
    try {
      Enforcement.execute(session, Enforcement.createIndex(table, index));
    } catch (SQLException e) {
      if (e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1) {
        throw new OraException(1452, "cannot CREATE UNIQUE INDEX; duplicate keys found", e);
      }
      throw e;
    }
  }

  void drop() throws OraException, SQLException {
    ObjectName name = in.objectName(schema);
    OraTable table = table(name);
    if (table.constraint(name.name()) != null) {
      throw new OraException(2429, "cannot drop index used for enforcement of unique/primary key");
    }
    Enforcement.execute(session, "DROP INDEX IF EXISTS " + name.h2());
    table.indexes().removeIf(index -> index.name().equals(name.name()));
    table.setChanged();
  }

  private OraTable table(ObjectName name) throws OraException {
    session.rights().checkSystem("ALTER ANY INDEX", name.schema());
    OraTable table = catalog.tableOfIndex(name.schema(), name.name());
    if (table == null) {
      throw new OraException(1418, "specified index does not exist");
    }
    return table;
  }

  void alter() throws OraException, SQLException {
    ObjectName name = in.objectName(schema);
    OraTable table = table(name);
    OraIndex index = find(table, name.name());
    if (in.accept("UNUSABLE")) {
      Enforcement.drop(session, table, index, OraIndex.WHOLE);
    } else if (in.accept("MODIFY")) {
      Enforcement.drop(session, table, index, part());
      in.expect("UNUSABLE");
    } else if (in.accept("REBUILD")) {
      boolean isPart = in.peek().isAny("PARTITION", "SUBPARTITION");
      if (index.local() && !isPart) {
        throw new OraException(14086, "a partitioned index may not be rebuilt as a whole");
      }
      rebuild(session, table, index, isPart ? part() : OraIndex.WHOLE);
    } else if (in.accept("RENAME", "TO")) {
      String other = in.name();
      Enforcement.execute(
          session, "ALTER INDEX " + name.h2() + " RENAME TO " + ObjectName.quote(other));
      table.indexes().removeIf(each -> each.name().equals(name.name()));
      table.put(
          new OraIndex(
              other,
              index.objectId(),
              index.unique(),
              index.columns(),
              index.falling(),
              index.local(),
              index.after()));
    } else if (!TableParser.storage(in) && !in.accept("INVISIBLE") && !in.accept("VISIBLE")) {
      throw in.unexpected("this is not known in ALTER INDEX");
    }
  }

  private String part() throws OraException {
    if (!in.accept("SUBPARTITION")) {
      in.expect("PARTITION");
    }
    return in.name();
  }

  private static OraIndex find(OraTable table, String name) {
    return table.indexes().stream()
        .filter(index -> index.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /// H2's own index is made again with the last part that was behind.
  private static void rebuild(OraSession session, OraTable table, OraIndex index, String part)
      throws OraException, SQLException {
    OraIndex now = index.rebuilt(part);
    if (now.usable() && !index.usable() && isPlain(table, index)) {
      Enforcement.build(session, table, index);
    } else {
      table.put(now);
    }
  }

  /// An empty table has no index that is behind.
  static void rebuildAll(OraSession session, OraTable table) throws OraException, SQLException {
    for (OraIndex index : List.copyOf(table.indexes())) {
      rebuild(session, table, index, OraIndex.WHOLE);
    }
  }
}
