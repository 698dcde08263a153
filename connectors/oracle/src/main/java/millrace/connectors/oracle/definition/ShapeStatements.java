package millrace.connectors.oracle.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.connectors.oracle.definition.TableShape.ColumnShape;
import millrace.connectors.oracle.definition.TableShape.ConstraintShape;
import millrace.connectors.oracle.definition.TableShape.IndexShape;
import millrace.connectors.oracle.definition.TableShape.ReferenceShape;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import org.jspecify.annotations.Nullable;

/// The statements that make a table like another: the table with its comments, its keys, checks and
/// indexes once its rows are in, and its foreign keys once those of all tables are. Pure.
final class ShapeStatements {

  private final Names names;
  private final TableShape shape;
  private final TableName to;
  private final String table;

  /// @param to the table that is made
  ShapeStatements(Names names, TableShape shape, TableName to) {
    this.names = names;
    this.shape = shape;
    this.to = to;
    table = to.sql(names);
  }

  /// All of them.
  ///
  /// @param targets where another table goes; null if it is not copied
  CopiedDefinition all(Function<TableName, @Nullable TableName> targets) {
    List<String> afterRows = new ArrayList<>();
    List<CopiedDefinition.Reference> references = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>(shape.dependentObjects());
    // A key may be kept by an index that is there already.
    shape.indexes().forEach(index -> afterRows.add(index(index)));
    for (ConstraintShape each : shape.constraints()) {
      ReferenceShape reference = each.reference();
      if (each.isNotNull() || isInTable(each)) {
        continue;
      }
      if (reference == null) {
        afterRows.add(add(each, condition(each)));
        continue;
      }
      TableName other = targets.apply(reference.table());
      if (other == null) {
        leftOut.add(
            LeftOut.of(
                "foreign key",
                each.name(),
                "to " + reference.table().label() + ", which is not copied"));
      } else {
        references.add(
            new CopiedDefinition.Reference(
                reference.table().label(), add(each, foreignKey(each, reference, other))));
      }
    }
    shape.columns().stream()
        .filter(column -> column.identity() != null)
        .forEach(column -> afterRows.add(behindItsValues(column)));
    return new CopiedDefinition(make(), afterRows, references, leftOut);
  }

  private boolean isInTable(ConstraintShape constraint) {
    return shape.isIndex() && constraint.kind() == 'P';
  }

  private List<String> make() {
    List<String> items = new ArrayList<>(shape.columns().stream().map(this::column).toList());
    shape.constraints().stream()
        .filter(this::isInTable)
        .forEach(key -> items.add(named(key) + condition(key)));
    List<String> make = new ArrayList<>();
    make.add(
        "CREATE TABLE "
            + table
            + " (\n  "
            + String.join(",\n  ", items)
            + "\n)"
            + (shape.isIndex() ? " ORGANIZATION INDEX" : ""));
    if (!shape.comment().isEmpty()) {
      make.add("COMMENT ON TABLE " + table + " IS " + Names.text(shape.comment()));
    }
    for (ColumnShape column : shape.columns()) {
      if (!column.comment().isEmpty()) {
        make.add(
            "COMMENT ON COLUMN "
                + table
                + "."
                + names.quoted(column.name())
                + " IS "
                + Names.text(column.comment()));
      }
    }
    return make;
  }

  /// Rows come with their own numbers, which an identity that always numbers would refuse.
  private String column(ColumnShape column) {
    String notNull =
        shape.constraints().stream()
            .filter(each -> each.isNotNull() && each.columns().contains(column.name()))
            .map(each -> " " + named(each) + "NOT NULL" + after(each.state()))
            .findFirst()
            .orElse("");
    return names.quoted(column.name()) + " " + column.declared() + after(column.fill()) + notNull;
  }

  private static String after(String text) {
    return text.isEmpty() ? "" : " " + text;
  }

  private String behindItsValues(ColumnShape column) {
    return "ALTER TABLE "
        + table
        + " MODIFY ("
        + names.quoted(column.name())
        + " "
        + column.identity()
        + ")";
  }

  private String renamed(String name) {
    return CopiedDefinition.named(name, shape.name().name(), to.name(), names::fits);
  }

  private String named(ConstraintShape constraint) {
    return constraint.name().isEmpty()
        ? ""
        : "CONSTRAINT " + names.quoted(renamed(constraint.name())) + " ";
  }

  private String add(ConstraintShape constraint, String what) {
    return "ALTER TABLE "
        + table
        + " ADD "
        + (constraint.name().isEmpty() && constraint.kind() == 'C'
            ? "CONSTRAINT " + names.quoted(checkName(constraint)) + " "
            : named(constraint))
        + what
        + after(constraint.state());
  }

  /// Made again, a check without a name would be there twice.
  private String checkName(ConstraintShape check) {
    String end = String.format(Locale.ROOT, "_CK_%08X", check.condition().hashCode());
    String begin = to.name();
    while (!names.fits(begin + end)) {
      begin = begin.substring(0, begin.offsetByCodePoints(begin.length(), -1));
    }
    return begin + end;
  }

  private String condition(ConstraintShape constraint) {
    return switch (constraint.kind()) {
      case 'P' -> "PRIMARY KEY " + list(constraint.columns());
      case 'U' -> "UNIQUE " + list(constraint.columns());
      default -> "CHECK (" + constraint.condition() + "\n)";
    };
  }

  private String foreignKey(ConstraintShape key, ReferenceShape reference, TableName other) {
    return "FOREIGN KEY "
        + list(key.columns())
        + " REFERENCES "
        + other.sql(names)
        + " "
        + list(reference.columns())
        + after(reference.rule());
  }

  private String list(List<String> columns) {
    return columns.stream().map(names::quoted).collect(Collectors.joining(", ", "(", ")"));
  }

  private String index(IndexShape index) {
    return "CREATE "
        + index.kind()
        + "INDEX "
        + new TableName(to.schema(), renamed(index.name())).sql(names)
        + " ON "
        + table
        + " ("
        + String.join(", ", index.parts())
        + ")"
        + after(index.options());
  }
}
