package millrace.connectors.duckdb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Made;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableDefinitions.Step;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// Reads how the tables of a file and all else in their schemas are defined, and makes others like
/// them.
///
/// DuckDB adds no foreign key to a table that is there. So tables are made, and filled, in an order
/// in which those that others refer to come first.
final class DuckDbDefinitions {

  private static final Pattern HEAD =
      Pattern.compile(
          "^CREATE TABLE"
              + " (?:(?:\"(?:[^\"]|\"\")*+\"|[^\".(]++)\\.)?(?:\"(?:[^\"]|\"\")*+\"|[^\".(]++)\\(");
  private static final Pattern NEXTVAL = Pattern.compile("nextval\\('((?:[^']|'')*+)'\\)");

  private final SqlSession source;
  private final List<Route> routes;

  /// What the target's schemas hold by now.
  private final Set<DuckDbObjects.Named> there = new HashSet<>();

  private final Set<String> schemas = new LinkedHashSet<>();
  private final boolean isWhole;

  private DuckDbDefinitions(
      SqlSession source, @Nullable SqlSession target, List<Placed> tables, Scope scope) {
    this.source = source;
    routes = tables.stream().map(Route::of).toList();
    routes.forEach(each -> schemas.add(each.from.schema()));
    if (target != null) {
      routes.stream()
          .map(each -> each.to.schema())
          .distinct()
          .forEach(schema -> there.addAll(DuckDbObjects.named(target, schema)));
      there.removeIf(each -> StagingName.isOwn(each.name()));
    }
    isWhole =
        routes.stream().allMatch(each -> each.from.equals(each.to))
            && scope.isWhole(there::isEmpty);
  }

  /// A table and the one that it goes to.
  private record Route(TableName from, TableName to) {

    static Route of(Placed table) {
      String schema = table.from().schema();
      return new Route(
          new TableName(schema.isEmpty() ? DuckDbSql.MAIN : schema, table.from().name()),
          DuckDbSql.table(table.to().text("table").orElseThrow()));
    }
  }

  /// The definitions of tables; none of one whose target is there. All else comes along if no table
  /// gets another name or schema.
  ///
  /// @param target null if there is no such file yet
  static Found of(
      SqlSession source, @Nullable SqlSession target, List<Placed> tables, Scope scope) {
    return new DuckDbDefinitions(source, target, tables, scope).found();
  }

  private Found found() {
    List<CopiedDefinition> definitions = routes.stream().map(this::definition).toList();
    List<String> texts = definitions.stream().flatMap(each -> each.make().stream()).toList();
    List<LeftOut> leftOut = new ArrayList<>();
    List<Step> before = new ArrayList<>();
    List<DuckDbObjects> objects =
        schemas.stream().map(schema -> new DuckDbObjects(source, schema, there)).toList();
    for (DuckDbObjects each : objects) {
      before.addAll(each.schema());
      if (isWhole) {
        before.addAll(each.types());
      }
      before.addAll(each.sequences(isWhole ? _ -> true : named(texts)));
      if (!isWhole) {
        leftOut.addAll(each.besideTables(named(texts)));
      }
    }
    sorted().stream()
        .filter(each -> !definitions.get(each).make().isEmpty())
        .forEach(each -> before.add(new TableDefinitions.Table(each)));
    List<Made> after = new ArrayList<>();
    if (isWhole) {
      objects.forEach(each -> after.addAll(each.macros(leftOut)));
      objects.forEach(each -> after.addAll(each.views()));
    }
    List<String> first = new ArrayList<>();
    for (Step step : before) {
      if (step instanceof Made made) {
        first.addAll(made.statements());
      }
    }
    sorted().forEach(each -> first.add(DuckDbDefinition.sql(source, routes.get(each).from)));
    return new Found(
        definitions,
        before,
        DuckDbObjects.inOrder(first, after),
        isWhole ? leftOut : Found.ifMade(definitions, leftOut),
        isWhole
            ? List.of()
            : List.of("Their text is in the file, and EXPORT DATABASE writes it: schema.sql."),
        isWhole);
  }

  /// Sequences that defaults of tables name.
  private static Predicate<String> named(List<String> tables) {
    Set<String> names = new HashSet<>();
    for (String table : tables) {
      Matcher next = NEXTVAL.matcher(table);
      while (next.find()) {
        List<TableName.NamePart> parts = TableName.parts(next.group(1).replace("''", "'"));
        names.add(parts.getLast().text().toLowerCase(Locale.ROOT));
      }
    }
    return name -> names.contains(name.toLowerCase(Locale.ROOT));
  }

  /// A foreign key.
  ///
  /// @param text as it stands in the statement that makes the table
  private record ForeignKey(String text, List<String> columns, TableName parent, List<String> to) {

    private boolean isOf(TableName table) {
      return DuckDbSql.NAMES.same(parent.label(), table.label());
    }
  }

  private List<ForeignKey> foreignKeys(TableName table) {
    return source.query(
        """
        SELECT constraint_text, constraint_column_names, referenced_table, referenced_column_names
        FROM duckdb_constraints()
        WHERE database_name = current_database() AND constraint_type = 'FOREIGN KEY'
            AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)\
        """,
        row ->
            new ForeignKey(
                row.getString(1),
                DuckDbCatalog.texts(row, 2),
                table.beside(row.getString(3)),
                DuckDbCatalog.texts(row, 4)),
        table.schema(),
        table.name());
  }

  /// Places of tables, so that each comes after those that it refers to.
  private Set<Integer> sorted() {
    Set<Integer> sorted = new LinkedHashSet<>();
    for (int i = 0; i < routes.size(); i++) {
      add(i, new HashSet<>(), sorted);
    }
    return sorted;
  }

  private void add(int table, Set<Integer> above, Set<Integer> sorted) {
    if (above.add(table) && !sorted.contains(table)) {
      for (ForeignKey key : foreignKeys(routes.get(table).from)) {
        for (int i = 0; i < routes.size(); i++) {
          if (key.isOf(routes.get(i).from)) {
            add(i, above, sorted);
          }
        }
      }
      sorted.add(table);
    }
  }

  private boolean isThere(TableName table) {
    return Stream.of("table", "view")
        .anyMatch(
            kind -> there.contains(DuckDbObjects.Named.of(kind, table.schema(), table.name())));
  }

  private CopiedDefinition definition(Route route) {
    if (isThere(route.to)) {
      return CopiedDefinition.NONE;
    }
    DuckDbDefinition read = DuckDbDefinition.read(source, route.from);
    boolean isSame = route.from.equals(route.to);
    String sql = DuckDbObjects.bare(read.sql());
    if (!isSame) {
      String head = "CREATE TABLE " + DuckDbSql.name(route.to) + "(";
      sql = HEAD.matcher(sql).replaceFirst(Matcher.quoteReplacement(head));
    }
    List<LeftOut> leftOut = new ArrayList<>();
    for (ForeignKey key : foreignKeys(route.from)) {
      String why = why(key, route.from);
      if (!why.isEmpty()) {
        leftOut.add(LeftOut.of("foreign key", "to " + key.parent.name(), why));
        sql = sql.replace(", " + key.text, "");
      } else if (!isSame) {
        sql = sql.replace(key.text, moved(key));
      }
    }
    List<String> make = new ArrayList<>(List.of(sql));
    List<String> afterRows = new ArrayList<>();
    indexes(route, afterRows);
    for (String comment : read.comments()) {
      if (!comment.startsWith("COMMENT ON INDEX ")) {
        String from = DuckDbSql.name(route.from);
        make.add(
            isSame
                ? comment
                : comment.replaceFirst(
                    Pattern.quote(from), Matcher.quoteReplacement(DuckDbSql.name(route.to))));
      }
    }
    return new CopiedDefinition(make, afterRows, List.of(), leftOut);
  }

  /// Why a foreign key does not come along; empty if it does.
  private String why(ForeignKey key, TableName table) {
    if (key.isOf(table)) {
      long rows =
          source
              .query(
                  "SELECT count(*) FROM (SELECT 1 FROM " + DuckDbSql.name(table) + " LIMIT 1)",
                  row -> row.getLong(1))
              .getFirst();
      return rows == 0 ? "" : "itself, by which DuckDB would refuse rows that come at once";
    }
    boolean isCopied = routes.stream().anyMatch(each -> key.isOf(each.from));
    return isCopied || isThere(key.parent) ? "" : "which is not copied";
  }

  private String moved(ForeignKey key) {
    TableName to =
        routes.stream()
            .filter(each -> key.isOf(each.from))
            .map(Route::to)
            .findFirst()
            .orElse(key.parent);
    return "FOREIGN KEY (%s) REFERENCES %s(%s)"
        .formatted(DuckDbSql.names(key.columns), DuckDbSql.name(to), DuckDbSql.names(key.to));
  }

  /// With what is written down about them.
  private void indexes(Route route, List<String> statements) {
    source
        .query(
            """
            SELECT index_name, sql, coalesce(comment, '') FROM duckdb_indexes()
            WHERE database_name = current_database() AND sql IS NOT NULL
                AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)
            ORDER BY index_oid\
            """,
            row -> List.of(row.getString(1), row.getString(2), row.getString(3)),
            route.from.schema(),
            route.from.name())
        .forEach(row -> {
          String name =
              CopiedDefinition.named(
                  row.getFirst(), route.from.name(), route.to.name(), DuckDbSql.NAMES::fits);
          String sql = DuckDbObjects.bare(row.get(1));
          String made = route.from.equals(route.to) ? sql : index(sql, name, route.to);
          statements.add(made);
          if (!row.getLast().isEmpty()) {
            statements.add(DuckDbObjects.comment("INDEX", route.to.beside(name), row.getLast()));
          }
        });
  }

  /// The columns stand in the last parentheses that are opened at the top.
  private static String index(String sql, String name, TableName table) {
    String quoted = "(?:\"(?:[^\"]|\"\")*+\"|[^\"\\s.(]++)";
    return sql.replaceFirst(
        "INDEX " + quoted + " ON (?:" + quoted + "\\.)?" + quoted,
        Matcher.quoteReplacement("INDEX " + DuckDbSql.name(name) + " ON " + DuckDbSql.name(table)));
  }

  /// Carries statements out; all or none, unless some may have been carried out before.
  static void carryOut(SqlDatabase database, List<String> statements, boolean again) {
    try (SqlSession session = SqlSession.open(database, true)) {
      if (!again) {
        session.begin("BEGIN");
      }
      for (String statement : statements) {
        try {
          session.execute(statement);
        } catch (Fault e) {
          if (!(again && String.valueOf(e.getMessage()).contains("already exists"))) {
            session.rollback();
            throw CopiedDefinition.refused(
                statement, "Make what it lacks and go on, or make it yourself.", e);
          }
        }
      }
      if (!again) {
        session.commit();
      }
    }
  }
}
