package millrace.connectors.oracle.definition;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import millrace.connectors.oracle.definition.TableShape.ColumnShape;
import millrace.connectors.oracle.definition.TableShape.ConstraintShape;
import millrace.connectors.oracle.definition.TableShape.IndexShape;
import millrace.connectors.oracle.definition.TableShape.ReferenceShape;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.structure.StructureFacts;
import millrace.connectors.sql.structure.StructureFacts.CheckFact;
import millrace.connectors.sql.structure.StructureFacts.ColumnFact;
import millrace.connectors.sql.structure.StructureFacts.IndexPart;
import millrace.connectors.sql.structure.StructureFacts.KeyPart;
import millrace.connectors.sql.structure.StructureSpelling;
import millrace.connectors.sql.structure.StructureSpelling.Keys;
import millrace.connectors.sql.structure.StructureSpelling.Literals;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableStructure.Action;

/// What the catalog of Oracle says of tables, and how tables that are there get it. Pure but for
/// {@link #read}.
public final class OracleStructures {

  private static final String DEFAULT = "DEFAULT ";
  private static final String ON_NULL = "ON NULL ";
  private static final String FALLING = " DESC";

  private final List<ColumnFact> columns = new ArrayList<>();
  private final List<IndexPart> indexes = new ArrayList<>();
  private final List<KeyPart> keys = new ArrayList<>();
  private final List<CheckFact> checks = new ArrayList<>();
  private final List<CheckFact> partsLeft = new ArrayList<>();

  /// What it says of some tables of a schema.
  public static StructureFacts read(
      SqlSession session, Dialect dialect, String schema, List<String> tables) {
    OracleStructures facts = new OracleStructures();
    for (String table : tables) {
      facts.add(new ShapeReader(session, dialect, null).read(new TableName(schema, table)));
    }
    return new StructureFacts(
        facts.columns,
        facts.indexes,
        facts.keys,
        facts.checks,
        facts.partsLeft,
        OracleDefinitions.leftOut(session, schema),
        false);
  }

  private OracleStructures() {}

  private void add(TableShape shape) {
    String table = shape.name().name();
    shape.columns().forEach(column -> add(table, column));
    shape.constraints().forEach(constraint -> add(table, constraint));
    shape.indexes().forEach(index -> add(table, index));
    for (LeftOut each : shape.dependentObjects()) {
      partsLeft.add(new CheckFact(table, each.name(), each.kind()));
    }
  }

  /// Its next number is behind the greatest.
  private void add(String table, ColumnShape column) {
    if (column.identity() != null) {
      columns.add(new ColumnFact(table, column.name(), "", 0L));
    } else if (column.fill().startsWith(DEFAULT)) {
      String value = column.fill().substring(DEFAULT.length());
      String bare = value.startsWith(ON_NULL) ? value.substring(ON_NULL.length()) : value;
      columns.add(new ColumnFact(table, column.name(), bare, null));
    } else if (!column.fill().isEmpty()) {
      partsLeft.add(new CheckFact(table, column.name(), "computed column"));
    }
  }

  private void add(String table, ConstraintShape constraint) {
    ReferenceShape reference = constraint.reference();
    String name =
        constraint.name().isEmpty()
            ? table + "_" + String.join("_", constraint.columns())
            : constraint.name();
    for (int i = 0; i < constraint.columns().size(); i++) {
      String column = constraint.columns().get(i);
      if (reference != null) {
        String action = reference.rule().replace("ON DELETE ", "").replace(' ', '_');
        keys.add(
            new KeyPart(
                table,
                name,
                column,
                reference.table(),
                reference.columns().get(i),
                action.isEmpty() ? Action.NO_ACTION : Action.valueOf(action),
                Action.NO_ACTION));
      } else if (constraint.kind() != 'C') {
        String what = constraint.kind() == 'P' ? "P" : "K";
        indexes.add(new IndexPart(table, name, what, column, false));
      }
    }
    if (constraint.kind() == 'C' && !constraint.isNotNull()) {
      checks.add(new CheckFact(table, name, constraint.condition()));
    }
  }

  private void add(String table, IndexShape index) {
    for (String part : index.parts()) {
      boolean isFalling = part.endsWith(FALLING);
      String bare = isFalling ? part.substring(0, part.length() - FALLING.length()) : part;
      boolean isColumn = bare.matches("\"[^\"]+\"");
      String kind = index.kind().strip();
      indexes.add(
          new IndexPart(
              table,
              index.name(),
              kind.isEmpty() ? "I" : kind.equals("UNIQUE") ? "U" : "of type bitmap",
              isColumn ? bare.substring(1, bare.length() - 1) : null,
              isFalling));
    }
  }

  /// How tables that are there get it. A column that is there becomes no identity: its numbers come
  /// from a sequence.
  ///
  /// @param hasBoolean whether truth values are no numbers
  public static StructureSpelling spelling(Names names, boolean hasBoolean) {
    Set<Action> onDelete = EnumSet.of(Action.CASCADE, Action.SET_NULL);
    return new StructureSpelling(
        names,
        names::fresh,
        new StructureSpelling.Scopes(true, true),
        new StructureSpelling.Numbering(
            List.of(
                "CREATE SEQUENCE %5$s START WITH %4$d",
                "ALTER TABLE %1$s MODIFY (%2$s DEFAULT %5$s.NEXTVAL)"),
            false,
            ""),
        "ALTER TABLE %1$s MODIFY (%2$s DEFAULT %3$s)",
        new Keys(
            "CREATE %1$sINDEX %5$s ON %3$s (%4$s)",
            Keys.CONSTRAINT, onDelete, EnumSet.noneOf(Action.class)),
        new Literals(
            "TRUNC(SYSDATE)",
            "",
            "CURRENT_TIMESTAMP",
            hasBoolean ? List.of("FALSE", "TRUE") : List.of("0", "1"),
            Names::text,
            true,
            ""),
        (declared, _, _) -> declared.matches(".*LOB|JSON|LONG.*") ? null : "");
  }
}
