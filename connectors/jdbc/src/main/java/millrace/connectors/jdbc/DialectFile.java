package millrace.connectors.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlFaults.Kind;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.structure.StructureSpelling;
import millrace.spi.catalog.TableStructure.Action;
import millrace.spi.read.SqlWords;
import org.jspecify.annotations.Nullable;

/// What is known of a database product, as a file of lines `key = value`. A line that begins with
/// `#` is a comment. `standard` is for products of which nothing is known.
///
/// @param name the file's name
/// @param values by key
/// @param reads lines `read PATTERN = meaning`, in order: the first that fits a declaration counts
/// @param faults lines `fault STATE = kind`
record DialectFile(
    String name, Map<String, String> values, List<Read> reads, List<SqlFaults.Row> faults) {

  /// The product that a file is for, and the file.
  private static final Map<String, String> PRODUCTS =
      Map.of(
          "H2", "h2",
          "HSQL Database Engine", "hsqldb",
          "Apache Derby", "derby",
          "Microsoft SQL Server", "sqlserver",
          "ClickHouse", "clickhouse");

  private static final String STANDARD = "standard";
  private static final String READ = "read ";
  private static final String FAULT = "fault ";

  /// Keys besides `make.TYPE`, `same.MEANING` and `literal.TYPE`.
  private static final Set<String> KEYS =
      Set.of(
          "writes",
          "ddl",
          "savepoint",
          "release",
          "rollback",
          "batch",
          "empty",
          "drop",
          "rename",
          "any",
          "next",
          "limit",
          "close.fetches",
          "merge",
          "merge.index",
          "same",
          "isolation",
          "decimal.max",
          "varchar.max",
          "text.unit",
          "text.unlimited",
          "checks",
          "triggers",
          "views",
          "script",
          "script.more",
          "script.there",
          "add.number",
          "add.default",
          "add.index",
          "add.constraint");

  /// How a declaration is read.
  ///
  /// @param pattern of the declaration in capitals, without numbers in parentheses
  /// @param meaning words as {@link MeaningOfTypes} has them
  record Read(String pattern, List<String> meaning) {}

  /// All files that there are.
  static List<String> names() {
    return Stream.concat(PRODUCTS.values().stream(), Stream.of("db2", STANDARD)).sorted().toList();
  }

  /// The file of a product, by the name that its driver gives.
  static DialectFile of(String product) {
    // Db2's name has its platform behind it.
    String name = product.startsWith("DB2") ? "db2" : PRODUCTS.getOrDefault(product, STANDARD);
    return read(name);
  }

  /// Reads a file.
  static DialectFile read(String name) {
    try (InputStream in = DialectFile.class.getResourceAsStream(name + ".dialect")) {
      if (in == null) {
        throw new IllegalStateException("there is no dialect " + name);
      }
      return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @throws IllegalArgumentException if a line says nothing that is known
  static DialectFile parse(String name, String text) {
    Map<String, String> values = new HashMap<>();
    List<Read> reads = new ArrayList<>();
    List<SqlFaults.Row> faults = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      int equals = line.indexOf(" = ");
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String key = equals < 0 ? line : line.substring(0, equals).strip();
      String value = equals < 0 ? "" : line.substring(equals + 3).strip();
      if (key.startsWith(READ)) {
        reads.add(new Read(key.substring(READ.length()), List.of(value.split(" +"))));
      } else if (key.startsWith(FAULT)) {
        faults.add(SqlFaults.Row.state(key.substring(FAULT.length()), Kind.valueOf(value), ""));
      } else if (!value.isEmpty()
          && (KEYS.contains(key) || key.matches("(make|same|literal)\\.\\w+"))
          && !values.containsKey(key)) {
        values.put(key, value);
      } else {
        throw new IllegalArgumentException(name + ": nothing is known of the line " + line);
      }
    }
    return new DialectFile(name, Map.copyOf(values), List.copyOf(reads), List.copyOf(faults));
  }

  /// A value; empty if the file has none.
  String text(String key) {
    return values.getOrDefault(key, "");
  }

  /// A value that is `yes` or anything else.
  boolean flag(String key) {
    return text(key).equals("yes");
  }

  /// A number.
  int number(String key, int otherwise) {
    String text = text(key);
    return text.isEmpty() ? otherwise : Integer.parseInt(text);
  }

  /// Whether rows are told apart by nothing of the product's own.
  boolean isStandard() {
    return name.equals(STANDARD);
  }

  /// How much transactions that read see; null for the database's own way, in which a table is not
  /// cut.
  @Nullable Integer isolation() {
    return switch (text("isolation")) {
      case "serializable" -> Connection.TRANSACTION_SERIALIZABLE;
      case "repeatable read" -> Connection.TRANSACTION_REPEATABLE_READ;
      default -> null;
    };
  }

  Statements statements() {
    String set = text("savepoint");
    return new Statements(
        "",
        set.equals("driver")
            ? Statements.Savepoints.BY_DRIVER
            : new Statements.Savepoints(set, text("release"), text("rollback")),
        new Statements.Tables(Statements.CREATE, text("drop"), text("rename"), ""),
        values.getOrDefault("any", "SELECT MIN(1) FROM %s HAVING COUNT(*) > 0"),
        new Statements.Reading(
            text("next"), values.getOrDefault("limit", "%s"), flag("close.fetches")),
        new Statements.Merging(text("merge"), flag("merge.index")),
        moments());
  }

  /// How a table that is there gets numbers, defaults, indexes and constraints: by what the file
  /// says, and not at all if it says nothing.
  StructureSpelling spelling(Names names) {
    Set<Action> actions = EnumSet.allOf(Action.class);
    return new StructureSpelling(
        names,
        names::fresh,
        new StructureSpelling.Scopes(true, true),
        text("add.number").isEmpty()
            ? StructureSpelling.Numbering.NONE
            : new StructureSpelling.Numbering(List.of(text("add.number").split("; ")), true, ""),
        text("add.default"),
        new StructureSpelling.Keys(text("add.index"), text("add.constraint"), actions, actions),
        StructureSpelling.Literals.STANDARD,
        (_, _, _) -> text("add.index").isEmpty() ? null : "");
  }

  private SqlWords.Moments moments() {
    SqlWords.Moments standard = SqlWords.Moments.STANDARD;
    String timestamp = values.getOrDefault("literal.timestamp", standard.timestamp());
    return new SqlWords.Moments(
        values.getOrDefault("literal.date", standard.date()),
        timestamp,
        timestamp,
        values.getOrDefault("literal.timestamptz", standard.zoned()));
  }
}
