package millrace.connectors.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.JdbcCatalog;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.data.Type;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What JDBC's own catalog tells of tables, as several drivers have it.
class CatalogTest {

  enum Driver {
    H2,
    HSQLDB,
    DERBY,
    POSTGRESQL;

    Connection connect() throws SQLException {
      return switch (this) {
        case H2 -> new Engine("h2:mem:", "").connect();
        case HSQLDB -> Engine.hsqldb().connect();
        case DERBY -> new Engine("derby:memory:catalog;create=true", "").connect();
        case POSTGRESQL -> {
          PostgresServer server = PostgresServer.shared();
          yield server.connect(server.newDatabase());
        }
      };
    }

    /// What the database makes of a name without quotes.
    String folded(String name) {
      return this == POSTGRESQL ? name : name.toUpperCase(Locale.ROOT);
    }
  }

  /// Does something with a database in which statements were run. Each time it is another one, or
  /// what was made is undone.
  private static void with(Driver driver, List<String> statements, Work work) throws SQLException {
    try (Connection connection = driver.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(driver != Driver.DERBY);
      for (String sql : statements) {
        statement.execute(sql);
      }
      Dialect dialect = JdbcDialect.of(connection).dialect();
      SqlFaults faults = dialect.faults();
      try {
        work.with(new SqlSession(connection, driver.name(), faults), dialect);
      } finally {
        if (driver == Driver.DERBY) {
          connection.rollback();
        }
      }
    }
  }

  /// Some drivers tell it as a number, others by how long such a text is. In that they differ too:
  /// one of PostgreSQL has room for years before Christ.
  @ParameterizedTest
  @CsvSource({
    "H2, TIME(0), 0",
    "H2, TIME(3), 3",
    "H2, TIMESTAMP(0), 0",
    "H2, TIMESTAMP(9), 9",
    "H2, TIMESTAMP(3) WITH TIME ZONE, 3",
    "HSQLDB, TIME(0), 0",
    "HSQLDB, TIME(3), 3",
    "HSQLDB, TIMESTAMP(0), 0",
    "HSQLDB, TIMESTAMP(9), 9",
    "HSQLDB, TIMESTAMP(3) WITH TIME ZONE, 3",
    "DERBY, TIME, 0",
    "DERBY, TIMESTAMP, 9",
    "POSTGRESQL, TIME(0), 0",
    "POSTGRESQL, TIME(3), 3",
    "POSTGRESQL, TIME(2) WITH TIME ZONE, 2",
    "POSTGRESQL, TIMESTAMP, 6",
    "POSTGRESQL, TIMESTAMP(0), 0",
    "POSTGRESQL, TIMESTAMP(3), 3",
    "POSTGRESQL, TIMESTAMP(0) WITH TIME ZONE, 0",
    "POSTGRESQL, TIMESTAMP(3) WITH TIME ZONE, 3"
  })
  void aDeclarationHasAsManyDigitsOfSecondsAsItsColumn(Driver driver, String type, String digits)
      throws SQLException {
    with(
        driver,
        List.of("CREATE TABLE t (v " + type + ")"),
        (session, dialect) -> {
          TableInfo table = found(session, dialect, "", driver.folded("t"));
          TableInfo query = JdbcCatalog.describe(session, "SELECT v FROM t", dialect.types());
          for (TableInfo each : List.of(table, query)) {
            assertThat(each.columns().getFirst().declared()).contains("(" + digits + ")");
          }
        });
  }

  /// JDBC takes the name of a schema for a pattern as well.
  @ParameterizedTest
  @EnumSource(Driver.class)
  void aSchemaIsNotTakenForAnother(Driver driver) throws SQLException {
    with(
        driver,
        List.of(
            "CREATE SCHEMA \"a_b\"",
            "CREATE SCHEMA \"axb\"",
            "CREATE TABLE \"a_b\".\"t\" (\"here\" INT)",
            "CREATE TABLE \"axb\".\"t\" (\"there\" INT)",
            "CREATE TABLE \"axb\".\"u\" (\"there\" INT)"),
        (session, dialect) -> {
          assertThat(found(session, dialect, "a_b", "t").columns())
              .extracting(ColumnInfo::name)
              .containsExactly("here");
          assertThat(JdbcCatalog.tables(session, "a_b")).containsExactly("t");
          TableName elsewhere = new TableName("a_b", "u");
          assertThat(JdbcCatalog.exists(session, elsewhere, dialect.profile())).isFalse();
          assertThat(JdbcCatalog.find(session, elsewhere, dialect.profile())).isNull();
        });
  }

  /// So it does with the name of a table.
  @ParameterizedTest
  @EnumSource(Driver.class)
  void aTableIsNotTakenForAnother(Driver driver) throws SQLException {
    with(
        driver,
        List.of(
            "CREATE TABLE \"t_1\" (\"here\" INT NOT NULL PRIMARY KEY)",
            "CREATE TABLE \"tx1\" (\"there\" INT DEFAULT 7)"),
        (session, dialect) -> {
          TableInfo found = found(session, dialect, "", "t_1");
          assertThat(found.columns()).extracting(ColumnInfo::name).containsExactly("here");
          assertThat(found.definition().rules()).isEmpty();
        });
  }

  /// A key has an order of its own, whatever that of the columns is.
  @ParameterizedTest
  @EnumSource(Driver.class)
  void aKeyHasItsOwnOrder(Driver driver) throws SQLException {
    with(
        driver,
        List.of(
            "CREATE TABLE \"two\" (\"a\" INT NOT NULL, \"v\" INT, \"b\" INT NOT NULL,"
                + " PRIMARY KEY (\"b\", \"a\"))",
            "CREATE TABLE \"as_they_stand\" (\"a\" INT NOT NULL, \"b\" INT NOT NULL,"
                + " PRIMARY KEY (\"a\", \"b\"))",
            "CREATE TABLE \"three\" (\"a\" INT NOT NULL, \"b\" INT NOT NULL, \"c\" INT NOT NULL,"
                + " UNIQUE (\"a\", \"c\"), CONSTRAINT \"z\" PRIMARY KEY (\"c\", \"a\", \"b\"))"),
        (session, dialect) -> {
          TableInfo two = found(session, dialect, "", "two");
          assertThat(two.key()).containsExactly("b", "a");
          assertThat(Objects.requireNonNull(two.cut()).sql()).contains("b");
          assertThat(two.columns()).extracting(ColumnInfo::name).containsExactly("a", "v", "b");
          assertThat(found(session, dialect, "", "as_they_stand").key()).containsExactly("a", "b");
          TableInfo three = found(session, dialect, "", "three");
          assertThat(three.key()).containsExactly("c", "a", "b");
          assertThat(Objects.requireNonNull(three.cut()).sql()).contains("c");
        });
  }

  /// It depends on no other table by that, and its own foreign key is one of its rules.
  @ParameterizedTest
  @EnumSource(Driver.class)
  void aTableMayReferToItself(Driver driver) throws SQLException {
    with(
        driver,
        List.of(
            "CREATE TABLE \"self\" (\"id\" INT NOT NULL PRIMARY KEY, \"up\" INT,"
                + " FOREIGN KEY (\"up\") REFERENCES \"self\" (\"id\"))",
            "CREATE TABLE \"pair\" (\"a\" INT NOT NULL, \"b\" INT NOT NULL, \"x\" INT, \"y\" INT,"
                + " PRIMARY KEY (\"b\", \"a\"),"
                + " FOREIGN KEY (\"x\", \"y\") REFERENCES \"pair\" (\"b\", \"a\"))",
            "CREATE TABLE \"child\" (\"s\" INT, FOREIGN KEY (\"s\") REFERENCES \"self\" (\"id\"))"),
        (session, dialect) -> {
          TableInfo self = found(session, dialect, "", "self");
          assertThat(self.dependents()).containsExactly("child");
          assertThat(self.definition().rules()).contains("foreign key (up) to self");
          TableInfo pair = found(session, dialect, "", "pair");
          assertThat(pair.dependents()).isEmpty();
          assertThat(pair.key()).containsExactly("b", "a");
          assertThat(pair.definition().rules())
              .contains("foreign key (x) to pair", "foreign key (y) to pair");
          TableInfo child = found(session, dialect, "", "child");
          assertThat(child.dependents()).isEmpty();
          assertThat(child.definition().rules()).contains("foreign key (s) to self");
        });
  }

  /// Letters that mean any others in a pattern are letters of a name.
  @ParameterizedTest
  @EnumSource(Driver.class)
  void noLetterOfANameMeansAnyOther(Driver driver) throws SQLException {
    List<String> schemas = List.of("s_%", "sxx", "s__", "s%");
    List<String> tables = List.of("t_%", "txx", "t__", "t%", "%", "_", "t\\_");
    List<String> statements = new ArrayList<>();
    for (String schema : schemas) {
      statements.add("CREATE SCHEMA \"" + schema + "\"");
      for (String table : tables) {
        String name = "\"" + schema + "\".\"" + table + "\"";
        String column = "\"" + schema + " " + table + "\"";
        if (!schema.equals("s%") || table.equals("txx")) {
          statements.add(
              "CREATE TABLE "
                  + name
                  + " ("
                  + column
                  + " INT NOT NULL PRIMARY KEY, \"up\" INT,"
                  + " FOREIGN KEY (\"up\") REFERENCES "
                  + name
                  + " ("
                  + column
                  + "))");
        }
      }
    }
    with(
        driver,
        statements,
        (session, dialect) -> {
          for (String schema : schemas.subList(0, 3)) {
            assertThat(JdbcCatalog.tables(session, schema))
                .containsExactlyInAnyOrderElementsOf(tables);
            for (String table : tables) {
              TableInfo found = found(session, dialect, schema, table);
              assertThat(found.columns())
                  .extracting(ColumnInfo::name)
                  .containsExactly(schema + " " + table, "up");
              assertThat(found.key()).containsExactly(schema + " " + table);
              assertThat(found.dependents()).isEmpty();
              assertThat(found.definition().rules())
                  .filteredOn(rule -> rule.startsWith("foreign key"))
                  .containsExactly("foreign key (up) to " + table);
            }
          }
          for (String table : List.of("t_%", "t__", "t%", "%", "_", "t\\_")) {
            TableName elsewhere = new TableName("s%", table);
            assertThat(JdbcCatalog.exists(session, elsewhere, dialect.profile()))
                .as(table)
                .isFalse();
            assertThat(JdbcCatalog.find(session, elsewhere, dialect.profile())).as(table).isNull();
          }
        });
  }

  /// Some drivers tell of indexes, sequences and types in the same breath.
  @ParameterizedTest
  @EnumSource(Driver.class)
  void tablesAndViewsAreFoundAndNothingElse(Driver driver) throws SQLException {
    with(
        driver,
        List.of(
            "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v INT)",
            "CREATE INDEX i ON t (v)",
            "CREATE SEQUENCE s",
            driver == Driver.POSTGRESQL ? "CREATE TYPE k AS (v int)" : "CREATE SEQUENCE k",
            "CREATE VIEW w AS SELECT id FROM t"),
        (session, dialect) -> {
          assertThat(JdbcCatalog.tables(session, ""))
              .containsExactlyInAnyOrder(driver.folded("t"), driver.folded("w"));
          for (String other : List.of("i", "s", "k")) {
            TableName name = new TableName("", driver.folded(other));
            assertThat(JdbcCatalog.exists(session, name, dialect.profile())).as(other).isFalse();
          }
        });
  }

  /// Some products keep theirs beside everybody's tables.
  @ParameterizedTest
  @CsvSource({"HSQLDB, SYSTEM_LOBS, BLOCKS", "DERBY, SYS, SYSTABLES"})
  void tablesOfTheSystemAreNotListed(Driver driver, String schema, String table)
      throws SQLException {
    with(
        driver,
        List.of(),
        (session, dialect) -> {
          assertThat(JdbcCatalog.tables(session, schema)).isEmpty();
          assertThat(JdbcCatalog.exists(session, new TableName(schema, table), dialect.profile()))
              .isTrue();
        });
  }

  /// Types that a user has named are known by what the driver says of them.
  @ParameterizedTest
  @CsvSource({
    "H2, octets",
    "H2, VARBINARY(9)",
    "H2, BLOB",
    "HSQLDB, octets",
    "HSQLDB, VARBINARY(9)",
    "HSQLDB, BLOB",
    "DERBY, VARCHAR(9) FOR BIT DATA",
    "DERBY, BLOB",
    "POSTGRESQL, bytea"
  })
  void bytesAreBytesWhateverTheirTypeIsCalled(Driver driver, String type) throws SQLException {
    boolean isNamed = type.equals("octets");
    with(
        driver,
        List.of(
            isNamed ? "CREATE DOMAIN octets AS VARBINARY(9)" : "CREATE TABLE u (v INT)",
            "CREATE TABLE t (v " + type + ")"),
        (session, dialect) -> {
          TableInfo table = found(session, dialect, "", driver.folded("t"));
          TableInfo query = JdbcCatalog.describe(session, "SELECT v FROM t", dialect.types());
          for (TableInfo each : List.of(table, query)) {
            assertThat(each.columns().getFirst().column(dialect.types()).type())
                .isEqualTo(new Type.Bytes());
          }
        });
  }

  interface Work {
    void with(SqlSession session, Dialect dialect);
  }

  private static TableInfo found(SqlSession session, Dialect dialect, String schema, String name) {
    TableName table = new TableName(schema, name);
    return Objects.requireNonNull(JdbcCatalog.find(session, table, dialect.profile()), name);
  }
}
