package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.connectors.postgres.PostgresConnector;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of PostgreSQL, DuckDB and Parquet are lists of the same elements in each of them.
class ListsTest {

  private static final DuckDbConnector DUCKDB = new DuckDbConnector();
  private static final ParquetConnector PARQUET = new ParquetConnector();
  private static final PostgresConnector POSTGRES = new PostgresConnector();
  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final String DATABASE = SERVER.newDatabase();
  private static final List<String> PARTS =
      List.of(
          "a",
          "\"",
          "'",
          "\\",
          "{",
          "}",
          "[",
          "]",
          ",",
          " ",
          "NULL",
          "null",
          "\n",
          "\t",
          "é水",
          "\uD83D\uDE00",
          "(",
          ":",
          "=",
          "%s",
          "--",
          "\u0001");

  @TempDir Path folder;

  private static Endpoint postgres(String table) {
    return new Endpoint(
        "postgresql", SERVER.location(DATABASE), Map.of("table", table), Secret.NONE);
  }

  private Endpoint parquet() {
    return new Endpoint(
        "parquet", folder.resolve("lists.parquet").toString(), Map.of(), Secret.NONE);
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int n = random.nextInt(5); n > 0; n--) {
      word.append(PARTS.get(random.nextInt(PARTS.size())));
    }
    return word.toString();
  }

  private static @Nullable Object @Nullable [] list(Random random, boolean ofText) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    @Nullable Object[] list =
        ofText ? new @Nullable String[random.nextInt(5)] : new @Nullable Integer[random.nextInt(5)];
    for (int i = 0; i < list.length; i++) {
      boolean isNull = random.nextInt(5) == 0;
      list[i] = isNull ? null : ofText ? (Object) word(random) : (Object) random.nextInt();
    }
    return list;
  }

  private static void fill(long seed) throws SQLException {
    SERVER.execute(
        DATABASE,
        "DROP TABLE IF EXISTS lists, back",
        "CREATE TABLE lists (n integer, i integer[], t text[])");
    Random random = new Random(seed);
    try (Connection connection = SERVER.connect(DATABASE);
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO lists VALUES (?, ?, ?)")) {
      for (int n = 0; n < 300; n++) {
        insert.setInt(1, n);
        insert.setArray(2, array(connection, "int4", list(random, false)));
        insert.setArray(3, array(connection, "text", list(random, true)));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static @Nullable Array array(
      Connection connection, String type, @Nullable Object @Nullable [] list) throws SQLException {
    return list == null ? null : connection.createArrayOf(type, list);
  }

  /// As the server itself tells of its lists, without the text that crosses.
  private static List<String> inPostgres(String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = SERVER.connect(DATABASE);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT n, pg_typeof(i), pg_typeof(t), i, t FROM " + table + " ORDER BY n")) {
      while (row.next()) {
        rows.add(
            row.getString(1)
                + row.getString(2)
                + row.getString(3)
                + elements(row.getArray(4))
                + elements(row.getArray(5)));
      }
    }
    return rows;
  }

  private static String elements(@Nullable Array array) throws SQLException {
    return array == null ? "none" : java.util.Arrays.toString((Object[]) array.getArray());
  }

  private List<String> inDuckDb(Duck duck, String from) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = duck.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT n, typeof(i), typeof(t), i, t FROM " + from + " ORDER BY n")) {
      while (row.next()) {
        assertThat(row.getString(2)).isEqualTo("INTEGER[]");
        assertThat(row.getString(3)).isEqualTo("VARCHAR[]");
        rows.add(
            row.getString(1)
                + "integer[]text[]"
                + elements(row.getArray(4))
                + elements(row.getArray(5)));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theyAreTheSameListsInDuckDbAndBack(long seed) throws SQLException {
    Duck duck = Duck.in(folder);
    fill(seed);
    Copying.of(POSTGRES, postgres("lists"), DUCKDB, duck.table("lists")).run();
    List<String> lists = inPostgres("lists");
    assertThat(inDuckDb(duck, "lists")).isEqualTo(lists).hasSize(300);
    Copying.of(DUCKDB, duck.table("lists"), POSTGRES, postgres("back")).run();
    assertThat(inPostgres("back")).isEqualTo(lists);
    Copying.of(DUCKDB, duck.table("lists"), POSTGRES, postgres("back")).mode(Mode.TRUNCATE).run();
    assertThat(inPostgres("back")).isEqualTo(lists);
  }

  @Test
  void theyAreTheSameListsInParquetAndBack() throws SQLException {
    fill(4);
    Copying.of(POSTGRES, postgres("lists"), PARQUET, parquet()).run();
    List<String> lists = inPostgres("lists");
    Duck duck = Duck.in(folder);
    assertThat(inDuckDb(duck, "'" + parquet().location() + "'")).isEqualTo(lists);
    Copying.of(PARQUET, parquet(), POSTGRES, postgres("back")).run();
    assertThat(inPostgres("back")).isEqualTo(lists);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{{1,2},{3,4}}", "[5:6]={1,2}", "[0:0]={1}", "{{1}}"})
  void anArrayThatIsNoListIsABadRecordThatNamesTheWayOut(String value) {
    SERVER.execute(
        DATABASE,
        "DROP TABLE IF EXISTS odd",
        "CREATE TABLE odd (v integer[])",
        "INSERT INTO odd VALUES ('" + value + "')");
    assertThatThrownBy(
            () -> Copying.of(POSTGRES, postgres("odd"), DUCKDB, Duck.in(folder).table("odd")).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("column \"v\"")
        .hasMessageContaining("one dimension")
        .hasMessageContaining(":text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1, 2]       | bigint[]   | 1,2",
        "[1, 2]       | text[]     | 1,2",
        "['7', '8']   | integer[]  | 7,8",
        "[true, NULL] | boolean[]  | true,null",
        "[1.5, 2.25]  | float8[]   | 1.5,2.25",
        "array_value(1, 2) | integer[] | 1,2"
      })
  void elementsAreReadAsTheTargetsType(String value, String type, String elements)
      throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT " + value + " AS v");
    SERVER.execute(DATABASE, "DROP TABLE IF EXISTS typed", "CREATE TABLE typed (v " + type + ")");
    Copying.of(DUCKDB, duck.table("t"), POSTGRES, postgres("typed")).mode(Mode.APPEND).run();
    try (Connection connection = SERVER.connect(DATABASE);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT array_to_string(v, ',', 'null') FROM typed")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString(1).replace("t,", "true,")).isEqualTo(elements);
    }
  }

  @Test
  void anElementThatTheTargetWouldChangeIsABadRecord() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT [1.5::DOUBLE, 2] AS v");
    SERVER.execute(DATABASE, "DROP TABLE IF EXISTS odd", "CREATE TABLE odd (v integer[])");
    assertThatThrownBy(
            Copying.of(DUCKDB, duck.table("t"), POSTGRES, postgres("odd")).mode(Mode.APPEND)::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("column v: invalid input syntax for type integer: \"1.5\"");
  }
}
