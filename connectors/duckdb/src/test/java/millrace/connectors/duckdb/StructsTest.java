package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.connectors.postgres.PostgresConnector;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Structs and composite types, lists of lists and arrays of several dimensions: paired if they
/// hold the same, else refused before the first row, and a value that the other does not have is a
/// bad record.
class StructsTest {

  private static final DuckDbConnector DUCKDB = new DuckDbConnector();
  private static final ParquetConnector PARQUET = new ParquetConnector();
  private static final PostgresConnector POSTGRES = new PostgresConnector();
  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final String DATABASE = SERVER.newDatabase();

  @TempDir Path folder;

  @BeforeEach
  void makeTypes() {
    SERVER.execute(
        DATABASE,
        "DROP TABLE IF EXISTS t, back",
        "DROP TYPE IF EXISTS outer_type, pair, scores, wide",
        "CREATE TYPE pair AS (a integer, \"B c\" text)",
        "CREATE TYPE outer_type AS (p pair, many pair[])",
        "CREATE TYPE scores AS (v integer[])",
        "CREATE TYPE wide AS (n numeric)");
  }

  private static Endpoint postgres(String table) {
    return new Endpoint(
        "postgresql", SERVER.location(DATABASE), Map.of("table", table), Secret.NONE);
  }

  private Endpoint parquet() {
    return new Endpoint("parquet", folder.resolve("t.parquet").toString(), Map.of(), Secret.NONE);
  }

  private static String value(String query) throws SQLException {
    try (Connection connection = SERVER.connect(DATABASE);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      assertThat(row.next()).isTrue();
      return String.valueOf(row.getString(1));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a': 1, 'B c': 'x'}              | pair       | {\"a\":1,\"B c\":\"x\"}",
        "{'b C': 'x', 'A': 1}              | pair       | {\"a\":1,\"B c\":\"x\"}",
        "{'B c': NULL, 'a': NULL}::STRUCT(\"B c\" VARCHAR, a INTEGER) | pair"
            + " | {\"a\":null,\"B c\":null}",
        "NULL::STRUCT(a INTEGER, \"B c\" VARCHAR) | pair | null",
        "{'a': 1, 'B c': ''}               | pair       | {\"a\":1,\"B c\":\"\"}",
        "{'a': 1, 'B c': '(\",\\)'}        | pair       | {\"a\":1,\"B c\":\"(\\\",\\\\)\"}",
        "[{'B c': 'x', 'a': 1}, NULL]      | pair[]     | [{\"a\":1,\"B c\":\"x\"},null]",
        "{'many': [{'B c': '\"', 'a': 1}], 'p': {'a': 2, 'B c': ''''}} | outer_type"
            + " | {\"p\":{\"a\":2,\"B c\":\"'\"},\"many\":[{\"a\":1,\"B c\":\"\\\"\"}]}",
        "{'v': [1, NULL]}                  | scores     | {\"v\":[1,null]}",
        "[{'v': [1]}, {'v': [1, 2]}]       | scores[]   | [{\"v\":[1]},{\"v\":[1,2]}]",
        "{'v': [[1, 2], [3, 4]]}           | scores     | {\"v\":[[1,2],[3,4]]}",
        "[[1, 2], [3, NULL]]               | integer[]  | [[1,2],[3,null]]",
        "[[[1], [2]], [[3], [4]]]          | integer[][][] | [[[1],[2]],[[3],[4]]]",
        "[]::INTEGER[][]                   | integer[][] | []",
        "[1, 2]                            | integer[][] | [1,2]",
        "['{\"x\": 1}'::JSON, NULL]        | json[]     | [{\"x\": 1},null]",
        "['\\x00\\xFF'::BLOB, NULL]        | bytea[]    | [\"\\\\x00ff\",null]"
      })
  void structsGoIntoCompositesByTheNamesOfTheirMembers(String value, String type, String json)
      throws SQLException {
    for (Connector from : List.of(DUCKDB, PARQUET)) {
      Duck duck = Duck.in(folder);
      duck.run("CREATE OR REPLACE TABLE t AS SELECT " + value + " AS v");
      if (from == PARQUET) {
        duck.run("COPY t TO '" + parquet().location() + "' (FORMAT parquet)");
      }
      SERVER.execute(DATABASE, "DROP TABLE IF EXISTS t", "CREATE TABLE t (v " + type + ")");
      Endpoint end = from == PARQUET ? parquet() : duck.table("t");
      Copying.of(from, end, POSTGRES, postgres("t")).mode(Mode.APPEND).run();
      assertThat(value("SELECT to_json(v) FROM t")).isEqualTo(json);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a': 1}                       | pair     | its members are (a) in the source and (a,B c)",
        "{'a': 1, 'B c': '', 'd': 1}    | pair     | its members are (a,B c,d) in the source and",
        "{'a': 1, 'b': 'x'}             | pair     | its members are (a,b) in the source and (a,B"
            + " c)",
        "[{'a': 1}]                     | pair[]   | its members are (a) in the source and (a,B c)",
        "{'p': {'a': 1}, 'many': [{'a': 1, 'B c': ''}]} | outer_type | member \"p\": its members"
            + " are",
        "[1]                            | pair     | a list is no struct",
        "{'a': [1], 'B c': ''}          | pair     | member \"a\": a value of int32[] is not one of"
            + " int32",
        "[{'a': 1, 'B c': ''}]          | text[]   | a value of struct(a int32, B c text) is not"
            + " one of text",
        "MAP {'a': 1}                   | pair     | spells its values in another way",
        "row(1, 'x')                    | pair     | spells its values in another way",
        "MAP {'a': 1}                   | text[]   | spells its values in another way"
      })
  void othersAreRefusedBeforeTheFirstRow(String value, String type, String why)
      throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT " + value + " AS v");
    SERVER.execute(DATABASE, "CREATE TABLE t (v " + type + ")");
    assertThatThrownBy(
            Copying.of(DUCKDB, duck.table("t"), POSTGRES, postgres("t")).mode(Mode.APPEND)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("column \"v\"")
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"[[1], [2, 3]]", "[[1], NULL]", "[[], []]", "[[1], []]"})
  void listsOfSeveralLengthsAreABadRecord(String value) throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT " + value + "::INTEGER[][] AS v");
    assertThatThrownBy(Copying.of(DUCKDB, duck.table("t"), POSTGRES, postgres("back"))::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("row 1, column \"v\"")
        .hasMessageContaining("lists of one length in a list, none of them empty or missing")
        .hasMessageContaining("--cast NAME:text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "integer[][] | {1,2}       | INTEGER[][]",
        "integer[]   | {{1},{2}}   | INTEGER[]",
        "integer[][] | {{{1}}}     | INTEGER[][]",
        "integer[]   | [0:1]={1,2} | INTEGER[]"
      })
  void anArrayOfOtherDimensionsThanDeclaredIsABadRecord(String type, String value, String list)
      throws SQLException {
    SERVER.execute(
        DATABASE, "CREATE TABLE t (v " + type + ")", "INSERT INTO t VALUES ('" + value + "')");
    Duck duck = Duck.in(folder);
    assertThatThrownBy(Copying.of(POSTGRES, postgres("t"), DUCKDB, duck.table("t"))::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("that counts from 1");
    // A target that is there says how many there are.
    duck.run("CREATE TABLE there (v " + (value.startsWith("{{{") ? "INTEGER[][][]" : list) + ")");
    if (!value.startsWith("{{{")) {
      return;
    }
    Copying.of(POSTGRES, postgres("t"), DUCKDB, duck.table("there")).mode(Mode.APPEND).run();
    assertThat(duck.rows("SELECT v FROM there")).containsExactly("[[[1]]]");
  }

  /// What a new table makes of it: PostgreSQL has no type for a struct that nobody made.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a': 1}            | text      | 0 | {'a': 1}",
        "[{'a': 1}]          | text      | 0 | [{'a': 1}]",
        "[[1, 2], [3, 4]]    | integer[] | 2 | {{1,2},{3,4}}",
        "['1'::JSON]         | json[]    | 1 | {1}",
        "['a'::BLOB]         | bytea[]   | 1 | {\"\\\\x61\"}",
        "MAP {'a': 1}        | text      | 0 | {a=1}"
      })
  void aNewTableHasWhatPostgresHas(String value, String type, String dimensions, String text)
      throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT " + value + " AS v");
    Copying.of(DUCKDB, duck.table("t"), POSTGRES, postgres("back")).run();
    assertThat(value("SELECT pg_typeof(v) FROM back")).isEqualTo(type);
    assertThat(value("SELECT v FROM back")).isEqualTo(text);
    assertThat(
            value(
                "SELECT attndims FROM pg_attribute WHERE attrelid = 'back'::regclass AND attnum ="
                    + " 1"))
        .isEqualTo(dimensions);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "pair        | (1,x)             | STRUCT(a INTEGER, \"B c\" VARCHAR)      | {'a': 1, 'B"
            + " c': x}",
        "pair        | (,)               | STRUCT(a INTEGER, \"B c\" VARCHAR)      | {'a': NULL, 'B"
            + " c': NULL}",
        "pair[]      | {\"(1,)\",NULL}   | STRUCT(a INTEGER, \"B c\" VARCHAR)[]    | [{'a': 1, 'B"
            + " c': NULL}, NULL]",
        "integer[][] | {{1,2},{3,NULL}}  | INTEGER[][]                             | [[1, 2], [3,"
            + " NULL]]",
        "wide        | (1.50)            | VARCHAR                                 | (1.50)"
      })
  void compositesAreStructs(String type, String value, String declared, String text)
      throws SQLException {
    SERVER.execute(
        DATABASE, "CREATE TABLE t (v " + type + ")", "INSERT INTO t VALUES ('" + value + "')");
    Duck duck = Duck.in(folder);
    Copying copying = Copying.of(POSTGRES, postgres("t"), DUCKDB, duck.table("t"));
    List<String> notes = copying.plan().notes();
    copying.run();
    assertThat(notes.stream().anyMatch(note -> note.contains("cross as text")))
        .isEqualTo(declared.equals("VARCHAR"));
    assertThat(duck.rows("SELECT typeof(v) FROM t")).containsExactly(declared);
    assertThat(duck.rows("SELECT v FROM t")).containsExactly(text);
    // In PostgreSQL itself nothing is lost either.
    Copying.of(POSTGRES, postgres("t"), POSTGRES, postgres("back")).run();
    assertThat(value("SELECT v FROM back")).isEqualTo(value);
    assertThat(
            value(
                "SELECT attndims FROM pg_attribute WHERE attrelid = 'back'::regclass AND attnum ="
                    + " 1"))
        .isEqualTo(
            value(
                "SELECT attndims FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum = 1"));
  }

  /// DuckDB calls both members by one name, and so can't have them.
  @Test
  void namesThatDifferInCaseAloneStayText() throws SQLException {
    SERVER.execute(
        DATABASE,
        "DROP TYPE pair CASCADE",
        "CREATE TYPE pair AS (a integer, \"A\" integer)",
        "CREATE TABLE t AS SELECT ROW(1, 2)::pair AS v");
    Duck duck = Duck.in(folder);
    Copying.of(POSTGRES, postgres("t"), DUCKDB, duck.table("t")).run();
    assertThat(duck.rows("SELECT v FROM t")).containsExactly("(1,2)");
  }
}
