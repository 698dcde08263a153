package millrace.connectors.sql.structure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.TableName;
import millrace.data.Column;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableStructure;
import millrace.spi.catalog.TableStructure.Action;
import millrace.spi.catalog.TableStructure.All;
import millrace.spi.catalog.TableStructure.Check;
import millrace.spi.catalog.TableStructure.ColumnRule;
import millrace.spi.catalog.TableStructure.Comparison;
import millrace.spi.catalog.TableStructure.Condition;
import millrace.spi.catalog.TableStructure.Constant;
import millrace.spi.catalog.TableStructure.ForeignKey;
import millrace.spi.catalog.TableStructure.Index;
import millrace.spi.catalog.TableStructure.Kind;
import millrace.spi.catalog.TableStructure.Now;
import millrace.spi.catalog.TableStructure.OneOf;
import org.jspecify.annotations.Nullable;

/// Says by which statements tables that their copies make get what their structures say. Pure.
public final class StructureStatements {

  private final StructureSpelling spelling;
  private final BiFunction<Column, Integer, String> declared;
  private final CommentStyle comments;
  private final StructureNames names;
  private final Map<String, Made> byLabel = new HashMap<>();

  /// A table of the job.
  public record Made(TableEntry from, TableName to, TableStructure structure) {}

  /// @param declared what a copy declares a column as; as one of so many of the primary key, if it
  ///   is in that
  /// @param comments how they stand in declarations
  public StructureStatements(
      StructureSpelling spelling,
      BiFunction<Column, Integer, String> declared,
      CommentStyle comments) {
    this.spelling = spelling;
    this.declared = declared;
    this.comments = comments;
    names = new StructureNames(spelling.names());
  }

  /// The statements of all tables of a job, in the same order.
  public List<CopiedDefinition> of(List<Made> tables) {
    tables.forEach(table -> {
      names.take(table.to);
      byLabel.put(table.from.label(), table);
    });
    return tables.stream().map(table -> new OfTable(table).definition()).toList();
  }

  private String column(String name) {
    return spelling.names().quoted(spelling.columns().apply(name));
  }

  private String list(List<String> columns) {
    return columns.stream().map(this::column).collect(Collectors.joining(", "));
  }

  /// Those of one table.
  private final class OfTable {

    private final Made made;
    private final String table;
    private final Map<String, ColumnRule> columns;
    private final List<String> key;
    private final List<String> afterRows = new ArrayList<>();
    private final List<CopiedDefinition.Reference> references = new ArrayList<>();
    private final List<LeftOut> left;

    /// Columns with which the primary key or an index begins.
    private final Set<String> firstInKeys = new HashSet<>();

    private final List<String> numbered = new ArrayList<>();

    OfTable(Made made) {
      this.made = made;
      table = made.to.sql(spelling.names());
      columns =
          made.structure.columns().stream()
              .collect(Collectors.toMap(ColumnRule::name, Function.identity()));
      key =
          made.structure.indexes().stream()
              .filter(index -> index.kind() == Kind.PRIMARY)
              .flatMap(index -> index.columns().stream())
              .toList();
      left = new ArrayList<>(made.structure.leftOut());
      key.stream().limit(1).forEach(firstInKeys::add);
    }

    CopiedDefinition definition() {
      made.structure.columns().forEach(this::column);
      made.structure.indexes().forEach(this::index);
      if (spelling.numbering().byKey()) {
        made.structure.columns().forEach(this::number);
      }
      made.structure.checks().forEach(this::check);
      made.structure.foreignKeys().forEach(this::foreignKey);
      return new CopiedDefinition(List.of(), afterRows, references, left);
    }

    private String named(String old, boolean bySchema) {
      return names.name(old, made.from.name(), made.to, bySchema);
    }

    private String declared(ColumnRule rule) {
      return declared.apply(
          new Column(rule.name(), rule.type(), rule.nullable(), null),
          key.contains(rule.name()) ? key.size() : 0);
    }

    private String comment(ColumnRule rule) {
      TableComments single = new TableComments("", Map.of(rule.name(), rule.comment()));
      return comments.inColumn(comments.fitting(single).of(rule.name()));
    }

    private void column(ColumnRule rule) {
      if (!spelling.numbering().byKey()) {
        number(rule);
      }
      String name = StructureStatements.this.column(rule.name());
      Constant value = rule.value();
      if (value != null) {
        String literal = spelling.literals().of(value, rule.type());
        if (literal == null || spelling.value().isEmpty()) {
          left.add(LeftOut.of("default", rule.name()));
        } else {
          String declaration = declared(rule);
          boolean isWrapped = declaration.matches(spelling.literals().inParentheses());
          boolean isRequired = !rule.nullable() || key.contains(rule.name());
          afterRows.add(
              spelling
                  .value()
                  .formatted(
                      table,
                      name,
                      isWrapped ? "(" + literal + ")" : literal,
                      declaration + (isRequired ? " NOT NULL" : ""),
                      comment(rule)));
        }
      }
    }

    private void number(ColumnRule rule) {
      Long from = rule.next();
      if (from == null) {
        return;
      }
      String name = StructureStatements.this.column(rule.name());
      StructureSpelling.Numbering numbering = spelling.numbering();
      boolean isWhole =
          rule.type() instanceof Type.Int
              || (rule.type() instanceof Type.Decimal(_, int scale) && scale == 0);
      boolean isRequired = !rule.nullable() || key.contains(rule.name());
      if (key.equals(List.of(rule.name())) && declared(rule).equals(numbering.itself())) {
        return;
      }
      boolean isKnown = from > 0 || numbering.behindGreatest();
      boolean can = !numbering.statements().isEmpty() && isWhole && isRequired && isKnown;
      if (!can) {
        left.add(LeftOut.of("numbering", rule.name()));
        return;
      }
      if (numbering.byKey() && (!firstInKeys.contains(rule.name()) || !numbered.isEmpty())) {
        left.add(
            LeftOut.of(
                "numbering",
                rule.name(),
                "since the database numbers one column, with which a key begins"));
        return;
      }
      numbered.add(rule.name());
      String sequence =
          named(made.to.name() + "_" + spelling.columns().apply(rule.name()) + "_seq", true);
      String qualified = spelling.qualified(made.to, sequence);
      String literal = spelling.literals().text().apply(qualified);
      for (String each : numbering.statements()) {
        afterRows.add(
            each.formatted(
                table, name, declared(rule), Math.max(1, from), qualified, comment(rule), literal));
      }
    }

    /// An index that InnoDB has made for a foreign key is of no use beside another that begins with
    /// its columns.
    private boolean isForForeignKey(Index index) {
      return made.structure.foreignKeys().stream()
              .anyMatch(each -> each.name().equals(index.name()))
          && made.structure.indexes().stream()
              .filter(other -> !other.equals(index))
              .map(Index::columns)
              .anyMatch(other ->
                  other.size() >= index.parts().size()
                      && other.subList(0, index.parts().size()).equals(index.columns()));
    }

    private void index(Index index) {
      if (index.kind() == Kind.PRIMARY || (index.kind() == Kind.PLAIN && isForForeignKey(index))) {
        return;
      }
      boolean isUnique = index.kind() != Kind.PLAIN;
      List<String> parts = new ArrayList<>();
      for (TableStructure.Part part : index.parts()) {
        ColumnRule rule = columns.get(part.column());
        String after =
            rule == null
                ? null
                : spelling.indexed().after(declared(rule), index.parts().size(), isUnique);
        if (after == null) {
          left.add(
              LeftOut.of(
                  isUnique ? "unique key" : "index",
                  index.name(),
                  "since the database indexes no column of such a type"));
          return;
        }
        parts.add(
            StructureStatements.this.column(part.column())
                + after
                + (part.falling() ? " DESC" : ""));
      }
      firstInKeys.add(index.parts().getFirst().column());
      String name = named(index.name(), spelling.scopes().indexesBySchema());
      boolean isRising = index.parts().stream().noneMatch(TableStructure.Part::falling);
      String constraint = spelling.keys().constraint();
      if (index.kind() == Kind.KEY && isRising && !constraint.isEmpty()) {
        afterRows.add(constrained(name, "UNIQUE (" + String.join(", ", parts) + ")"));
      } else {
        afterRows.add(
            spelling
                .keys()
                .index()
                .formatted(
                    isUnique ? "UNIQUE " : "",
                    spelling.names().quoted(name),
                    table,
                    String.join(", ", parts),
                    spelling.qualified(made.to, name),
                    spelling.names().quoted(made.to.name())));
      }
    }

    private String constrained(String name, String what) {
      return spelling.keys().constraint().formatted(table, spelling.names().quoted(name), what);
    }

    private boolean canAdd(String kind, String name) {
      boolean can = !spelling.keys().constraint().isEmpty();
      if (!can) {
        left.add(LeftOut.of(kind, name, "since the database adds none to a table that is there"));
      }
      return can;
    }

    private void check(Check check) {
      String condition = condition(check.condition());
      if (condition == null) {
        left.add(LeftOut.of("check", check.name()));
      } else if (canAdd("check", check.name())) {
        String name = named(check.name(), spelling.scopes().constraintsBySchema());
        afterRows.add(constrained(name, "CHECK (" + condition + ")"));
      }
    }

    private @Nullable String condition(Condition condition) {
      return switch (condition) {
        case Comparison(String name, String operator, Constant value) -> {
          String literal = valueOf(name, value);
          yield literal == null
              ? null
              : StructureStatements.this.column(exact(name)) + " " + operator + " " + literal;
        }
        case OneOf(String name, List<Constant> values) -> {
          List<String> literals = new ArrayList<>();
          for (Constant value : values) {
            String literal = valueOf(name, value);
            if (literal == null) {
              yield null;
            }
            literals.add(literal);
          }
          yield StructureStatements.this.column(exact(name))
              + " IN ("
              + String.join(", ", literals)
              + ")";
        }
        case All(List<Condition> conditions) -> {
          List<String> all = new ArrayList<>();
          for (Condition each : conditions) {
            String single = condition(each);
            if (single == null) {
              yield null;
            }
            all.add(single);
          }
          yield String.join(" AND ", all);
        }
      };
    }

    /// A name that stands in a condition without quotes may have other letters than the column's.
    private String exact(String name) {
      return columns.containsKey(name)
          ? name
          : columns.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
    }

    private @Nullable String valueOf(String name, Constant value) {
      ColumnRule rule = columns.get(exact(name));
      return rule == null || value instanceof Now
          ? null
          : spelling.literals().of(value, rule.type());
    }

    private void foreignKey(ForeignKey foreignKey) {
      Made other = byLabel.get(foreignKey.table());
      String refused = other == null ? "to a table that is not copied" : refusal(foreignKey, other);
      if (!refused.isEmpty() || other == null) {
        left.add(LeftOut.of("foreign key", foreignKey.name(), refused));
        return;
      }
      if (!canAdd("foreign key", foreignKey.name())) {
        return;
      }
      String actions =
          action(" ON DELETE ", foreignKey.onDelete(), spelling.keys().onDelete())
              + action(" ON UPDATE ", foreignKey.onUpdate(), spelling.keys().onUpdate());
      String name = named(foreignKey.name(), spelling.scopes().constraintsBySchema());
      references.add(
          new CopiedDefinition.Reference(
              foreignKey.table(),
              constrained(
                  name,
                  "FOREIGN KEY (%s) REFERENCES %s (%s)%s"
                      .formatted(
                          list(foreignKey.columns()),
                          other.to.sql(spelling.names()),
                          list(foreignKey.referenced()),
                          actions))));
    }

    private String refusal(ForeignKey foreignKey, Made other) {
      boolean isToKey =
          other.structure.indexes().stream()
              .filter(index -> index.kind() != Kind.PLAIN)
              .anyMatch(
                  index -> Set.copyOf(index.columns()).equals(Set.copyOf(foreignKey.referenced())));
      if (!isToKey) {
        return "to columns that are no key";
      }
      boolean isIndexed =
          foreignKey.columns().stream()
              .map(columns::get)
              .allMatch(rule ->
                  rule != null && "".equals(spelling.indexed().after(declared(rule), 1, true)));
      if (!isIndexed) {
        return "since the database indexes no column of such a type";
      }
      for (boolean deletes : new boolean[] {true, false}) {
        Action action = deletes ? foreignKey.onDelete() : foreignKey.onUpdate();
        Set<Action> known = deletes ? spelling.keys().onDelete() : spelling.keys().onUpdate();
        if (!isUsual(action) && !known.contains(action)) {
          return "since the database has no ON " + (deletes ? "DELETE " : "UPDATE ") + action.sql();
        }
      }
      return "";
    }

    private static boolean isUsual(Action action) {
      return action == Action.NO_ACTION || action == Action.RESTRICT;
    }

    private static String action(String when, Action action, Set<Action> known) {
      return known.contains(action) ? when + action.sql() : "";
    }
  }
}
