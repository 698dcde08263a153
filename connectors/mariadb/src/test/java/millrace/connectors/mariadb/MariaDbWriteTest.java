package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import millrace.connectors.sql.SqlServerEnds;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.spi.write.RowCost;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.server.MySqlFamilyServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a load of text could make of values, and servers and tables that take no such load.
class MariaDbWriteTest {

  private static final Map<String, MySqlFamilyServer> OWN_SERVERS = new ConcurrentHashMap<>();

  @AfterAll
  static void stop() {
    OWN_SERVERS.values().forEach(MySqlFamilyServer::close);
  }

  private static final Schema TWO =
      Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("name", Type.Text.UNLIMITED)));

  private static final List<Row> ROWS = List.of(Row.of(1, "a"), Row.of(2, "b"), Row.of(3, "c"));

  private static Copying into(TestTables tables, Schema schema, List<Row> rows) {
    tables.memory.put("rows", schema, rows);
    return Copying.of(
            tables.memory,
            tables.memory.endpoint("rows"),
            new MariaDbConnector(_ -> null),
            tables.endpoint("table", "w"))
        .mode(Mode.APPEND);
  }

  private static String year(Row row) {
    String year = String.valueOf(row.value(1));
    return "0".repeat(4 - year.length()) + year;
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void valuesArriveAsTheyAre(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run(
        "CREATE TABLE w (id int PRIMARY KEY, y year, b bit(8), t longtext, e enum('a','N'))");
    Schema schema =
        Schema.of(
            List.of(
                Column.of("id", new Type.Int(32)),
                Column.of("y", new Type.Int(16)),
                Column.of("b", new Type.Int(16)),
                Column.of("t", Type.Text.UNLIMITED),
                Column.of("e", Type.Text.UNLIMITED)));
    List<String> texts =
        List.of("", "\\N", "N", "\\", "a\tb", "a\nb\r\n", "a\\tb", "\0", "'\"`", "\u001A", "é😀");
    List<Row> rows =
        java.util.stream.IntStream.range(0, texts.size())
            .mapToObj(
                i -> Row.of(i, i == 0 ? 0 : 2000 + i, i * 20, texts.get(i), i % 2 == 0 ? "a" : "N"))
            .toList();
    into(tables, schema, rows).run();
    List<String> expected =
        rows.stream()
            .map(row ->
                "%s|%s|%s|%s|%s"
                    .formatted(
                        row.value(0),
                        year(row),
                        row.value(2),
                        HexFormat.of()
                            .withUpperCase()
                            .formatHex(
                                String.valueOf(row.value(3)).getBytes(StandardCharsets.UTF_8)),
                        row.value(4)))
            .toList();
    assertThat(
            tables.bare(
                "SELECT concat_ws('|', id, lpad(y + 0, 4, '0'), b + 0, hex(t), e) FROM w ORDER BY"
                    + " id"))
        .isEqualTo(expected);
  }

  /// A server may be set to another time zone, to take what it can make of a value, to give 0 a new
  /// number, and to end what takes long.
  @ParameterizedTest
  @CsvSource({"mariadb,true", "mariadb,false", "mysql,true", "mysql,false"})
  void howAServerIsSetChangesNoValue(String scheme, boolean loads) {
    // Other tests use the shared one meanwhile.
    TestTables tables =
        new TestTables(scheme, OWN_SERVERS.computeIfAbsent(scheme, TestTables::ownServer));
    tables.run("CREATE TABLE w (id bigint AUTO_INCREMENT PRIMARY KEY, at timestamp(6) NULL)");
    String limit = scheme.equals("mysql") ? "max_execution_time = 1000" : "max_statement_time = 1";
    tables.server.run(
        "SET GLOBAL time_zone = '+05:30'",
        "SET GLOBAL sql_mode = ''",
        "SET GLOBAL local_infile = " + (loads ? 1 : 0),
        "SET GLOBAL " + limit);
    try {
      Schema schema =
          Schema.of(
              List.of(
                  Column.of("id", new Type.Int(64)), Column.of("at", new Type.Timestamp(true))));
      long micros = 1_700_000_000_000_000L - Temporals.EPOCH_MICROS;
      into(tables, schema, List.of(Row.of(0, micros), Row.of(7, null))).run();
      into(tables, schema, List.of(Row.of(8, micros))).mode(Mode.MERGE).run();
      assertThat(tables.bare("SELECT concat(id, ' ', coalesce(unix_timestamp(at), '-')) FROM w"))
          .containsExactlyInAnyOrder("0 1700000000.000000", "7 -", "8 1700000000.000000");
      tables.copying(tables.endpoint("query", "SELECT at FROM w WHERE id = 0"), "at").run();
      assertThat(tables.texts()).containsExactly("2023-11-14 22:13:20+00");
      tables.copying(tables.endpoint("query", "SELECT sleep(2) AS ended"), "ended").run();
      assertThat(tables.texts()).containsExactly("0");
    } finally {
      tables.server.run(
          "SET GLOBAL time_zone = 'SYSTEM'",
          "SET GLOBAL sql_mode = DEFAULT",
          "SET GLOBAL local_infile = 1",
          "SET GLOBAL " + limit.replaceFirst("1.*", "0"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void whatMakesRowsDearIsNamedIfTheyGoStraightIntoTheTable(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.server.run("SET GLOBAL log_bin_trust_function_creators = 1");
    tables.run(
        "CREATE TABLE p (id int PRIMARY KEY)",
        "INSERT INTO p VALUES (1), (2), (3)",
        "CREATE TABLE w (id int PRIMARY KEY, name varchar(20), KEY by_name (name, id), UNIQUE KEY"
            + " once (name), FOREIGN KEY (id) REFERENCES p (id))",
        "CREATE TRIGGER audit BEFORE INSERT ON w FOR EACH ROW SET NEW.name = NEW.name");
    Ran run = into(tables, TWO, ROWS).run();
    assertThat(run.plan().writePlan().rowCosts())
        .extracting(RowCost::what)
        .containsExactly(
            "The table's 2 indexes are kept up row by row (once, by_name)",
            "The table's foreign keys are checked row by row (id to p)",
            "The table's triggers run for each row (audit)");
    Ran staged = into(tables, TWO, ROWS).mode(Mode.MERGE).run();
    assertThat(staged.plan().writePlan().rowCosts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void rowsAreInsertedIfTheServerAllowsNoLoad(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE w (id int PRIMARY KEY, name varchar(20))");
    tables.server.run("SET GLOBAL local_infile = 0");
    try {
      Ran run = into(tables, TWO, ROWS).run();
      assertThat(run.notes()).anyMatch(note -> note.contains("local_infile is off"));
    } finally {
      tables.server.run("SET GLOBAL local_infile = 1");
    }
    assertThat(tables.bare("SELECT name FROM w ORDER BY id")).containsExactly("a", "b", "c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableWithoutTransactionsIsLoadedAndSaidToBeOne(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE w (id int PRIMARY KEY, name varchar(20)) ENGINE=MyISAM");
    Ran run = into(tables, TWO, ROWS).run();
    assertThat(run.notes()).anyMatch(note -> note.contains("MyISAM has no transactions"));
    assertThat(tables.bare("SELECT name FROM w ORDER BY id")).containsExactly("a", "b", "c");
    assertThatThrownBy(() -> into(tables, TWO, ROWS).atomic(true).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("MyISAM has no transactions");
  }

  /// A load of text would keep the first row of a key without a word.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aRowWhoseKeyIsThereIsTold(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE w (id int PRIMARY KEY, name varchar(20))");
    tables.run("INSERT INTO w VALUES (2, 'old')");
    assertThatThrownBy(() -> into(tables, TWO, ROWS).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("row 2")
        .hasMessageContaining("Duplicate entry '2'");
  }

  /// Rows of a sweep go beside the target, in its database, and nothing of them stays.
  @ParameterizedTest
  @CsvSource({"mariadb,false", "mysql,false", "mariadb,true", "mysql,true"})
  void aScratchTableIsMadeBesideTheTableAndGoneWithoutATrace(String scheme, boolean named) {
    TestTables tables = new TestTables(scheme);
    String other = named ? tables.server.newDatabase() : tables.database;
    tables.run("CREATE TABLE " + other + ".w (id int PRIMARY KEY)");
    MariaDbConnector connector = new MariaDbConnector(_ -> null);
    SqlServerEnds ends = Objects.requireNonNull(connector.capability(SqlServerEnds.class));
    Endpoint scratch =
        ends.scratch(
            tables.endpoint("table", named ? "\"" + other + "\".w" : "w"), "millrace_probe_1");
    ends.discard(scratch);
    tables.memory.put("rows", TWO, ROWS);
    Copying.of(tables.memory, tables.memory.endpoint("rows"), connector, scratch)
        .mode(Mode.CREATE)
        .run();
    String all = "SHOW TABLES FROM " + other;
    assertThat(tables.bare(all)).contains("millrace_probe_1");
    tables.run("CREATE TABLE millrace_probe_1_millrace_0a1b2c3d (id int)");

    ends.discard(scratch);

    assertThat(tables.bare(all)).contains("w").doesNotContain("millrace_probe_1");
    if (!named) {
      assertThat(tables.bare(all)).noneMatch(name -> name.startsWith("millrace_probe"));
    }
  }
}
