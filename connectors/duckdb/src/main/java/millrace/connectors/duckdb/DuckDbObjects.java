package millrace.connectors.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.io.Folders;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Made;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a schema of a file holds beside its tables: types, sequences, macros and views. Those that
/// are not in the target's schema are made there.
final class DuckDbObjects {

  private static final Logger LOG = LoggerFactory.getLogger(DuckDbObjects.class);

  private static final String ITS =
      " WHERE database_name = current_database() AND lower(schema_name) = lower(?)";

  /// The name of a database in memory that has the same schemas and no rows.
  private static final String BESIDE = "millrace_text";

  private final SqlSession source;
  private final String schema;
  private final Set<Named> there;

  /// @param there what the target's schemas hold
  DuckDbObjects(SqlSession source, String schema, Set<Named> there) {
    this.source = source;
    this.schema = schema;
    this.there = there;
  }

  /// Something of a schema; names are in small letters.
  record Named(String kind, String schema, String name) {

    static Named of(String kind, String schema, String name) {
      return new Named(kind, schema.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }
  }

  /// What a schema holds.
  static List<Named> named(SqlSession session, String schema) {
    return session.query(
        """
        SELECT kind, name FROM (
            SELECT database_name, schema_name, 'table' AS kind, table_name AS name
            FROM duckdb_tables()
            UNION ALL SELECT database_name, schema_name, 'view', view_name
            FROM duckdb_views() WHERE NOT internal
            UNION ALL SELECT database_name, schema_name, 'sequence', sequence_name
            FROM duckdb_sequences()
            UNION ALL SELECT database_name, schema_name, 'type', type_name
            FROM duckdb_types() WHERE NOT internal
            UNION ALL SELECT database_name, schema_name, 'macro', function_name
            FROM duckdb_functions() WHERE NOT internal)
        """
            + ITS,
        row -> Named.of(row.getString(1), schema, row.getString(2)),
        schema);
  }

  /// A statement as the catalog says it, without the semicolon at its end.
  static String bare(String sql) {
    return sql.strip().replaceFirst(";$", "");
  }

  static String comment(String kind, TableName on, String text) {
    return "COMMENT ON " + kind + " " + DuckDbSql.name(on) + " IS " + Names.text(text);
  }

  private List<List<String>> asked(String query) {
    return source.query(
        query + ITS + " ORDER BY 1",
        row -> List.of(row.getString(1), row.getString(2), row.getString(3)),
        schema);
  }

  private boolean isNew(String kind, String name) {
    return !there.contains(Named.of(kind, schema, name));
  }

  private Made made(String kind, String name, List<String> statements, String comment) {
    List<String> all = new ArrayList<>(statements);
    TableName full = new TableName(schema, name);
    if (!comment.isEmpty()) {
      all.add(comment(kind.toUpperCase(Locale.ROOT), full, comment));
    }
    return new Made(kind, DuckDbSql.shown(full), all);
  }

  /// The schema itself.
  List<Made> schema() {
    return schema.equals(DuckDbSql.MAIN)
        ? List.of()
        : List.of(
            new Made(
                "schema",
                schema,
                List.of("CREATE SCHEMA IF NOT EXISTS " + DuckDbSql.name(schema))));
  }

  List<Made> types() {
    List<Made> types = new ArrayList<>();
    for (List<String> each :
        asked(
            "SELECT type_name, '', coalesce(comment, '') FROM (FROM duckdb_types() WHERE NOT"
                + " internal)")) {
      String name = DuckDbSql.name(new TableName(schema, each.getFirst()));
      if (isNew("type", each.getFirst())) {
        String type =
            source
                .query("SELECT typeof(CAST(NULL AS " + name + "))", row -> row.getString(1))
                .getFirst();
        types.add(
            made(
                "type",
                each.getFirst(),
                List.of("CREATE TYPE " + name + " AS " + type),
                each.getLast()));
      }
    }
    return types;
  }

  /// With their next values.
  List<Made> sequences(Predicate<String> meant) {
    return asked("SELECT sequence_name, sql, coalesce(comment, '') FROM duckdb_sequences()")
        .stream()
        .filter(each -> isNew("sequence", each.getFirst()) && meant.test(each.getFirst()))
        .map(each -> {
          // The catalog leaves out the quotes of a name.
          String options = bare(each.get(1).substring(each.get(1).lastIndexOf(" INCREMENT BY ")));
          String name = DuckDbSql.name(new TableName(schema, each.getFirst()));
          return made(
              "sequence",
              each.getFirst(),
              List.of("CREATE SEQUENCE " + name + options),
              each.getLast());
        })
        .toList();
  }

  List<Made> views() {
    return asked(
            "SELECT view_name, sql, coalesce(comment, '') FROM (FROM duckdb_views() WHERE NOT"
                + " internal)")
        .stream()
        .filter(each -> isNew("view", each.getFirst()))
        .map(each -> {
          TableName view = new TableName(schema, each.getFirst());
          List<String> statements = new ArrayList<>(List.of(bare(each.get(1))));
          Made made = made("view", each.getFirst(), statements, each.getLast());
          statements = new ArrayList<>(made.statements());
          statements.addAll(DuckDbDefinition.read(source, view).comments());
          return new Made(made.kind(), made.name(), statements);
        })
        .toList();
  }

  /// No view of the catalog says which values their parameters have if they are left out. An export
  /// does.
  ///
  /// @param leftOut gets those that can't be exported
  List<Made> macros(List<LeftOut> leftOut) {
    List<List<String>> macros =
        asked(
                "SELECT DISTINCT function_name, '', coalesce(comment, '') FROM (FROM"
                    + " duckdb_functions() WHERE NOT internal)")
            .stream()
            .filter(each -> isNew("macro", each.getFirst()))
            .toList();
    if (macros.isEmpty()) {
      return List.of();
    }
    List<String> exported = exported();
    List<Made> made = new ArrayList<>();
    for (List<String> each : macros) {
      exported.stream()
          .filter(statement -> isOf(statement, each.getFirst()))
          .findFirst()
          .ifPresentOrElse(
              statement ->
                  made.add(made("macro", each.getFirst(), List.of(statement), each.getLast())),
              () ->
                  leftOut.add(
                      LeftOut.of("macro", each.getFirst(), "EXPORT DATABASE does not write it")));
    }
    return made;
  }

  private boolean isOf(String statement, String macro) {
    return Stream.of("", schema + ".", DuckDbSql.name(schema) + ".")
        .filter(prefix -> !prefix.isEmpty() || schema.equals(DuckDbSql.MAIN))
        .flatMap(prefix -> Stream.of(prefix + macro, prefix + DuckDbSql.name(macro)))
        .anyMatch(name -> statement.startsWith("CREATE MACRO " + name + " ("));
  }

  /// All statements of an export of the schemas.
  private List<String> exported() {
    Path folder = null;
    try {
      folder = Files.createTempDirectory("millrace-duckdb-");
      String here = source.query("SELECT current_database()", row -> row.getString(1)).getFirst();
      source.execute("ATTACH ':memory:' AS " + BESIDE);
      try {
        source.execute(
            "COPY FROM DATABASE " + DuckDbSql.name(here) + " TO " + BESIDE + " (SCHEMA)");
        dropTables();
        source.execute("EXPORT DATABASE " + BESIDE + " TO " + Names.text(folder.toString()));
      } finally {
        source.execute("DETACH " + BESIDE);
      }
      return statements(Files.readString(folder.resolve("schema.sql")));
    } catch (IOException | Fault e) {
      LOG.debug("macros are not exported", e);
      return List.of();
    } finally {
      remove(folder);
    }
  }

  /// No table whose foreign key points to itself is exported. Those that others refer to are
  /// dropped after them.
  private void dropTables() {
    List<String> tables =
        new ArrayList<>(
            source.query(
                "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = '"
                    + BESIDE
                    + "'",
                row ->
                    "DROP TABLE "
                        + BESIDE
                        + "."
                        + DuckDbSql.name(new TableName(row.getString(1), row.getString(2)))));
    while (tables.removeIf(drop -> isMade(source, List.of(drop)))) {
      LOG.debug("{} tables are left", tables.size());
    }
  }

  private static void remove(@org.jspecify.annotations.Nullable Path folder) {
    if (folder != null) {
      try {
        Folders.delete(folder);
      } catch (IOException e) {
        LOG.debug("{} stays", folder, e);
      }
    }
  }

  /// Parts between semicolons outside of quotes.
  private static List<String> statements(String text) {
    List<String> statements = new ArrayList<>();
    int from = 0;
    char quote = 0;
    for (int at = 0; at < text.length(); at++) {
      char letter = text.charAt(at);
      if (quote != 0) {
        quote = letter == quote ? 0 : quote;
      } else if (letter == '\'' || letter == '"') {
        quote = letter;
      } else if (letter == ';') {
        statements.add(text.substring(from, at).strip());
        from = at + 1;
      }
    }
    return statements;
  }

  /// What stays behind if tables alone are asked for.
  ///
  /// @param sequences those that come along
  List<LeftOut> besideTables(Predicate<String> sequences) {
    return named(source, schema).stream()
        .filter(each -> !each.kind.equals("table"))
        .filter(each -> !(each.kind.equals("sequence") && sequences.test(each.name)))
        .distinct()
        .map(each -> LeftOut.of(each.kind, DuckDbSql.shown(new TableName(schema, each.name))))
        .toList();
  }

  /// Macros and views in an order in which each finds what it needs: they are made in memory, until
  /// none can be made. Those that can't come last.
  ///
  /// @param first what is there before them
  static List<Made> inOrder(List<String> first, List<Made> objects) {
    if (objects.isEmpty()) {
      return objects;
    }
    List<Made> ordered = new ArrayList<>();
    List<Made> left = new ArrayList<>(objects);
    try (DuckDbDatabase memory = DuckDbDatabase.inMemory("memory", 0);
        SqlSession session =
            SqlSession.open(
                new SqlDatabase(
                    "memory", DuckDbDialect.DUCKDB, () -> true, _ -> memory.own(), () -> {}),
                true)) {
      first.forEach(statement -> isMade(session, List.of(statement)));
      while (left.removeIf(each -> isMade(session, each.statements()) && ordered.add(each))) {
        LOG.debug("{} are left", left.size());
      }
    }
    ordered.addAll(left);
    return ordered;
  }

  private static boolean isMade(SqlSession session, List<String> statements) {
    try {
      statements.forEach(session::execute);
      return true;
    } catch (Fault e) {
      LOG.debug("not yet: {}", statements, e);
      return false;
    }
  }
}
