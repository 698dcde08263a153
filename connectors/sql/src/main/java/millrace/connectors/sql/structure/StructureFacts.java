package millrace.connectors.sql.structure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.connectors.sql.TableName;
import millrace.data.Column;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableStructure;
import millrace.spi.catalog.TableStructure.Action;
import millrace.spi.catalog.TableStructure.Check;
import millrace.spi.catalog.TableStructure.ColumnRule;
import millrace.spi.catalog.TableStructure.Condition;
import millrace.spi.catalog.TableStructure.Constant;
import millrace.spi.catalog.TableStructure.ForeignKey;
import millrace.spi.catalog.TableStructure.Index;
import millrace.spi.catalog.TableStructure.Kind;
import millrace.spi.catalog.TableStructure.Part;
import org.jspecify.annotations.Nullable;

/// What a catalog says of the tables of one schema, as it spells it.
///
/// @param partsLeft what of tables has no words in other systems: its kind stands for the condition
/// @param leftOut what else is in the schema
/// @param backslash whether a backslash in a text makes the next letter mean itself
public record StructureFacts(
    List<ColumnFact> columns,
    List<IndexPart> indexes,
    List<KeyPart> foreignKeys,
    List<CheckFact> checks,
    List<CheckFact> partsLeft,
    List<LeftOut> leftOut,
    boolean backslash) {

  /// Nothing.
  public static final StructureFacts NONE =
      new StructureFacts(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), false);

  /// A column that gets values by itself.
  ///
  /// @param expression its default; may be empty
  /// @param next see {@link ColumnRule}
  public record ColumnFact(String table, String column, String expression, @Nullable Long next) {}

  /// A column of an index.
  ///
  /// @param what see {@link StructureQueries}
  /// @param column null if it is an expression
  public record IndexPart(
      String table, String index, String what, @Nullable String column, boolean falling) {}

  /// A column of a foreign key.
  public record KeyPart(
      String table,
      String key,
      String column,
      TableName other,
      String referenced,
      Action onDelete,
      Action onUpdate) {}

  /// A condition.
  public record CheckFact(String table, String name, String condition) {}

  /// A table of the job.
  ///
  /// @param columns those that hold values
  public record ReadTable(TableName name, List<Column> columns, TableComments comments) {

    private @Nullable Type type(String column) {
      return columns.stream()
          .filter(each -> each.name().equalsIgnoreCase(column))
          .map(Column::type)
          .findFirst()
          .orElse(null);
    }

    private boolean has(List<String> names) {
      return names.stream().allMatch(name -> type(name) != null);
    }
  }

  /// What is said of one of them.
  ///
  /// @param labels the label of another table; null if it is not of the job
  public TableStructure structure(ReadTable table, Function<TableName, @Nullable String> labels) {
    String name = table.name().name();
    List<LeftOut> left = new ArrayList<>();
    List<ColumnRule> rules =
        table.columns().stream().map(column -> rule(table, column, left)).toList();
    List<Index> plain = indexes(table, left);
    List<ForeignKey> keys = foreignKeys(table, labels, left);
    List<Check> conditions = new ArrayList<>();
    of(checks, CheckFact::table, name)
        .forEach(each -> {
          Condition condition = ExpressionText.condition(each.condition, table::type, backslash);
          if (condition != null) {
            conditions.add(new Check(each.name, condition));
          } else if (!each.condition.matches("(?is)\\W*\\w+\\W* IS NOT NULL\\W*")) {
            left.add(LeftOut.of("check", each.name));
          }
        });
    of(partsLeft, CheckFact::table, name)
        .forEach(each -> left.add(LeftOut.of(each.condition, each.name)));
    return new TableStructure(rules, plain, keys, conditions, left);
  }

  private static <T> List<T> of(List<T> facts, Function<T, String> table, String name) {
    return facts.stream().filter(each -> table.apply(each).equals(name)).toList();
  }

  private ColumnRule rule(ReadTable table, Column column, List<LeftOut> left) {
    ColumnFact fact =
        of(columns, ColumnFact::table, table.name().name()).stream()
            .filter(each -> each.column.equals(column.name()))
            .findFirst()
            .orElse(null);
    String expression = fact == null || fact.next != null ? "" : fact.expression;
    Constant value =
        ExpressionText.isNull(expression)
            ? null
            : ExpressionText.constant(expression, column.type(), backslash);
    if (value == null && !ExpressionText.isNull(expression)) {
      left.add(LeftOut.of("default", column.name()));
    }
    return new ColumnRule(
        column.name(),
        column.type(),
        column.nullable(),
        table.comments().of(column.name()),
        fact == null ? null : fact.next,
        value);
  }

  private List<Index> indexes(ReadTable table, List<LeftOut> left) {
    List<Index> found = new ArrayList<>();
    byName(of(indexes, IndexPart::table, table.name().name()), IndexPart::index)
        .forEach((name, parts) -> {
          List<String> names = parts.stream().map(part -> String.valueOf(part.column)).toList();
          String what =
              parts.stream()
                  .map(IndexPart::what)
                  .filter(each -> each.length() > 1)
                  .findFirst()
                  .orElse(
                      parts.stream().anyMatch(part -> part.column == null)
                          ? "of an expression"
                          : table.has(names) ? "" : "of a column that is not copied");
          if (what.isEmpty()) {
            found.add(
                new Index(
                    name,
                    kind(parts.getFirst().what),
                    parts.stream()
                        .map(part -> new Part(String.valueOf(part.column), part.falling))
                        .toList()));
          } else {
            left.add(LeftOut.of("index", name, what));
          }
        });
    return found;
  }

  private static Kind kind(String letter) {
    return switch (letter) {
      case "P" -> Kind.PRIMARY;
      case "K" -> Kind.KEY;
      case "U" -> Kind.UNIQUE;
      default -> Kind.PLAIN;
    };
  }

  private List<ForeignKey> foreignKeys(
      ReadTable table, Function<TableName, @Nullable String> labels, List<LeftOut> left) {
    List<ForeignKey> found = new ArrayList<>();
    byName(of(foreignKeys, KeyPart::table, table.name().name()), KeyPart::key)
        .forEach((name, parts) -> {
          KeyPart first = parts.getFirst();
          String label = labels.apply(first.other);
          List<String> names = parts.stream().map(KeyPart::column).toList();
          if (label == null) {
            left.add(
                LeftOut.of(
                    "foreign key", name, "to " + first.other.label() + ", which is not copied"));
          } else if (!table.has(names)) {
            left.add(LeftOut.of("foreign key", name, "of a column that is not copied"));
          } else {
            found.add(
                new ForeignKey(
                    name,
                    names,
                    label,
                    parts.stream().map(KeyPart::referenced).toList(),
                    first.onDelete,
                    first.onUpdate));
          }
        });
    return found;
  }

  private static <T> Map<String, List<T>> byName(List<T> parts, Function<T, String> name) {
    return parts.stream()
        .collect(Collectors.groupingBy(name, LinkedHashMap::new, Collectors.toList()));
  }
}
