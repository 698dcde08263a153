package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteRequest;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every type that DuckDB has, with values at its edges.
class DuckDbTypesTest {

  private static final DuckDbConnector DUCKDB = new DuckDbConnector();

  @TempDir Path folder;

  /// To open the file, and DuckDB's first look into its catalog, take longer than most tests here:
  /// it stays open meanwhile.
  private DuckDBConnection open;

  @BeforeEach
  void open() throws SQLException {
    open = Duck.in(folder).connect();
  }

  @AfterEach
  void close() throws SQLException {
    open.close();
  }

  /// A type of DuckDB's, and values of it in SQL.
  ///
  /// @param type in DuckDB's words
  /// @param values expressions that a cast to the type makes values
  record Sample(String type, List<String> values) {
    static Sample of(String type, String... values) {
      return new Sample(type, List.of(values));
    }

    @Override
    public String toString() {
      return type;
    }
  }

  static List<Sample> samples() {
    return List.of(
        Sample.of("BOOLEAN", "true", "false"),
        Sample.of("TINYINT", "-128", "127"),
        Sample.of("SMALLINT", "-32768", "32767"),
        Sample.of("INTEGER", "-2147483648", "2147483647"),
        Sample.of("BIGINT", "-9223372036854775808", "9223372036854775807"),
        Sample.of("UTINYINT", "0", "128", "255"),
        Sample.of("USMALLINT", "0", "32768", "65535"),
        Sample.of("UINTEGER", "0", "2147483648", "4294967295"),
        Sample.of("UBIGINT", "0", "18446744073709551615"),
        Sample.of(
            "HUGEINT",
            "'-170141183460469231731687303715884105728'",
            "0",
            "'170141183460469231731687303715884105727'"),
        Sample.of("UHUGEINT", "0", "'340282366920938463463374607431768211455'"),
        Sample.of("BIGNUM", "'-123456789012345678901234567890123456789012345678901234567890'"),
        Sample.of("FLOAT", "'nan'", "'inf'", "'-inf'", "'-0.0'", "0.1", "'3.4028235e38'"),
        Sample.of("DOUBLE", "'nan'", "'inf'", "'-inf'", "'-0.0'", "0.1", "'5e-324'"),
        Sample.of("DECIMAL(4,1)", "-999.9", "0.1"),
        Sample.of("DECIMAL(9,9)", "-0.999999999", "0.000000001", "0"),
        Sample.of("DECIMAL(18,2)", "'-9999999999999999.99'", "1.50"),
        Sample.of("DECIMAL(38,10)", "'-9999999999999999999999999999.9999999999'", "'0.0000000001'"),
        Sample.of("DECIMAL(38,38)", "'-0.99999999999999999999999999999999999999'", "0"),
        Sample.of("VARCHAR", "''", "'水車\n\"'", "'a' || chr(0) || 'b'", "repeat('x', 100000)"),
        Sample.of("BLOB", "''::BLOB", "'\\x00\\xFF\\x61'::BLOB"),
        Sample.of("DATE", "'infinity'", "'-infinity'", "'0044-03-15 (BC)'", "'5881580-07-10'"),
        Sample.of("TIME", "'00:00:00'", "'23:59:59.999999'", "'24:00:00'"),
        Sample.of("TIME WITH TIME ZONE", "'12:00:00+15:59:59'", "'24:00:00-15:59:59'"),
        Sample.of("TIME_NS", "'23:59:59.999999999'", "'24:00:00'"),
        Sample.of(
            "TIMESTAMP",
            "'infinity'",
            "'-infinity'",
            "'290000-01-01 (BC) 00:00:00'",
            "'294247-01-10 04:00:54.775806'",
            "'1969-12-31 23:59:59.999999'"),
        Sample.of("TIMESTAMP WITH TIME ZONE", "'infinity'", "'-infinity'", "'2024-02-29 12:00+09'"),
        Sample.of("TIMESTAMP_S", "'infinity'", "'-infinity'", "'1969-12-31 23:59:59'"),
        Sample.of("TIMESTAMP_MS", "'infinity'", "'-infinity'", "'1969-12-31 23:59:59.999'"),
        Sample.of(
            "TIMESTAMP_NS",
            "'infinity'",
            "'-infinity'",
            "'1677-09-22 00:00:00.000000001'",
            "'2262-04-11 23:47:16.854775806'"),
        Sample.of(
            "INTERVAL",
            "'-1 month -3 days 00:00:00.000001'",
            "to_months(2147483647) + to_days(-2147483647)",
            "to_microseconds(9223372036854775807)"),
        Sample.of(
            "UUID",
            "'00000000-0000-0000-0000-000000000000'",
            "'80000000-0000-0000-0000-000000000001'",
            "'ffffffff-ffff-ffff-ffff-ffffffffffff'"),
        Sample.of("JSON", "'{\"a\":  [1, \"水\"], \"a\": null}'", "'null'", "'\"q\"'"),
        Sample.of("BIT", "'0'", "'000000001010'"),
        Sample.of("ENUM('a, b', 'it''s', '', '100%s')", "'a, b'", "'it''s'", "''", "'100%s'"),
        Sample.of("INTEGER[]", "[1, NULL, 2]", "[]"),
        Sample.of(
            "VARCHAR[]",
            "['a, b', '', 'NULL', NULL, ' x ', 'q''q', 'd\"d', 'b\\b', '[x]', '{y}', 'é☃']"),
        Sample.of("INTEGER[2]", "[1, NULL]"),
        Sample.of("DOUBLE[][]", "[['nan'::DOUBLE, -0.0], NULL, []]"),
        Sample.of(
            "STRUCT(a VARCHAR, \"b c\" BLOB[], \"d'e\" INTEGER)",
            "{'a': 'it''s \\ , } {', 'b c': ['\\x00,'::BLOB], 'd''e': NULL}"),
        Sample.of(
            "DATE[]", "['infinity'::DATE, '0044-03-15 (BC)'::DATE, '5881580-07-10'::DATE, NULL]"),
        Sample.of("TIME[]", "['23:59:59.999999'::TIME, '24:00:00'::TIME]"),
        Sample.of(
            "TIMESTAMP[]",
            "['-infinity'::TIMESTAMP, '290000-01-01 (BC)'::TIMESTAMP,"
                + " '294247-01-10 04:00:54.775806'::TIMESTAMP]"),
        Sample.of("TIMESTAMP_S[]", "['1969-12-31 23:59:59'::TIMESTAMP_S]"),
        Sample.of(
            "TIMESTAMP WITH TIME ZONE[]",
            "['infinity'::TIMESTAMPTZ, '0044-03-15 (BC) 10:00:00.5+00'::TIMESTAMPTZ]"),
        Sample.of("TIME WITH TIME ZONE[]", "['24:00:00-15:59:59'::TIMETZ]"),
        Sample.of("FLOAT[]", "['nan'::FLOAT, '-inf'::FLOAT, 0, 0.1, '1e-45'::FLOAT, 3.4028235e38]"),
        Sample.of("DECIMAL(9,9)[]", "[-0.999999999, 0.000000001, 0]"),
        Sample.of("INTERVAL[]", "[to_months(2147483647), to_microseconds(-1)]"),
        Sample.of("UHUGEINT[]", "[340282366920938463463374607431768211455::UHUGEINT]"),
        Sample.of("ENUM('a, (b', 'it''s')[]", "['a, (b', 'it''s']"),
        Sample.of(
            "STRUCT(\"q\"\"(100%s\" DECIMAL(4,2)[], m MAP(DATE, DOUBLE))",
            "{'q\"(100%s': [1.25], 'm': MAP {'2024-02-29'::DATE: 1e300}}"),
        Sample.of("MAP(VARCHAR, INTEGER)", "MAP {'k=1': 1, '': NULL, 'a''b': 3}"));
  }

  private static void fill(Duck duck, Sample sample) throws SQLException {
    List<String> all = new ArrayList<>();
    all.add("CREATE TABLE a (n INTEGER NOT NULL, v " + sample.type + ")");
    all.add("INSERT INTO a VALUES (0, NULL)");
    for (int i = 0; i < sample.values.size(); i++) {
      String value = "CAST(" + sample.values.get(i) + " AS " + sample.type + ")";
      all.add("INSERT INTO a VALUES (" + (i + 1) + ", " + value + ")");
    }
    duck.run(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyValueGoesFromTableToTableUnderItsOwnType(Sample sample) throws SQLException {
    Duck duck = Duck.in(folder);
    fill(duck, sample);
    Copying.of(DUCKDB, duck.table("a"), DUCKDB, duck.table("b")).run();
    assertThat(duck.rows("SELECT DISTINCT typeof(v) FROM b"))
        .isEqualTo(duck.rows("SELECT DISTINCT typeof(v) FROM a"));
    assertThat(duck.rows("SELECT n, v::VARCHAR FROM b ORDER BY n"))
        .isEqualTo(duck.rows("SELECT n, v::VARCHAR FROM a ORDER BY n"))
        .hasSize(sample.values.size() + 1);
    assertThat(duck.rows("SELECT n FROM a JOIN b USING (n) WHERE a.v IS DISTINCT FROM b.v"))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyValueGoesThroughAParquetFile(Sample sample) throws SQLException {
    Duck duck = Duck.in(folder);
    fill(duck, sample);
    Endpoint file =
        new Endpoint("parquet", folder.resolve("a.parquet").toString(), Map.of(), Secret.NONE);
    Copying.of(DUCKDB, duck.table("a"), new ParquetConnector(), file).run();
    duck.run("CREATE TABLE c (n INTEGER, v " + sample.type + ")");
    Copying.of(new ParquetConnector(), file, DUCKDB, duck.table("c")).run();
    assertThat(duck.rows("SELECT n, v::VARCHAR FROM c ORDER BY n"))
        .isEqualTo(duck.rows("SELECT n, v::VARCHAR FROM a ORDER BY n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UTINYINT | int16",
        "USMALLINT | int32",
        "UINTEGER | int64",
        "UBIGINT | decimal(20,0)",
        "HUGEINT | decimal(39,0)",
        "DECIMAL(12,2) | decimal(12,2)",
        "TIMESTAMP_S | timestamp",
        "TIMESTAMP_NS | opaque",
        "TIMESTAMP WITH TIME ZONE | timestamptz",
        "TIME | time",
        "UUID | uuid",
        "BLOB | bytes",
        "JSON | json",
        "INTERVAL | opaque",
        "INTEGER[] | int32[]",
        "DECIMAL(9,2)[] | decimal(9,2)[]",
        "INTEGER[3] | int32[]",
        "INTEGER[][] | int32[][]",
        "STRUCT(a INTEGER, \"b, c\" VARCHAR)[] | struct(a int32, b, c text)[]",
        "STRUCT(a STRUCT(b JSON[])) | struct(a struct(b json[]))",
        "BLOB[] | bytes[]",
        "INTERVAL[] | opaque",
        "STRUCT(a INTEGER, b INTERVAL) | opaque",
        "TUPLE(INTEGER, VARCHAR) | opaque",
        "MAP(VARCHAR, INTEGER)[] | opaque"
      })
  void otherSystemsSeeTheNearestTypeThatHoldsEveryValue(String declared, String label) {
    Column column = DuckDbTypes.column(DuckDbCatalog.column("v", declared, true));
    assertThat(column.type().label()).isEqualTo(label);
    assertThat(column.declaredIn("duckdb")).isEqualTo(declared);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UNION(a INTEGER, b VARCHAR) | union_value(a := 1)",
        "VARIANT | 1::VARIANT",
        "MAP(VARCHAR, JSON) | MAP {'a': 'null'::JSON}"
      })
  void aTypeWhoseTextLosesSomethingIsRefusedByItsColumn(String type, String value)
      throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE a (n INTEGER, odd " + type + ")", "INSERT INTO a VALUES (1, " + value + ")");
    assertThatThrownBy(() -> Copying.of(DUCKDB, duck.table("a"), DUCKDB, duck.table("b")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("\"odd\" (" + type + ")");
    Copying.of(DUCKDB, duck.table("a"), DUCKDB, duck.table("b")).select(List.of("n")).run();
    assertThat(duck.rows("SELECT * FROM b")).containsExactly("1");
    try (Source source = DUCKDB.source(duck.table("a"), Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().reading().notes())
          .containsExactly(
              "\"odd\" (" + type + ") is read as text, which does not tell all that a value holds");
    }
  }

  /// DuckDB puts any text, and NULL, into whichever member takes texts.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UNION(n INTEGER, s VARCHAR)",
        "UNION(n INTEGER, d DATE)",
        "UNION(s VARCHAR)",
        "UNION(a VARCHAR, \"b c\" VARCHAR)",
        "UNION(n INTEGER, s VARCHAR)[]",
        "STRUCT(a INTEGER, u UNION(n INTEGER, s VARCHAR))",
        "MAP(VARCHAR, UNION(n INTEGER, s VARCHAR))",
        "VARIANT[]",
      })
  void nothingGoesIntoAMemberThatNobodyHasChosen(String type) throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id INTEGER, odd " + type + ")", "INSERT INTO t VALUES (1, NULL)");
    MemoryConnector memory = new MemoryConnector();
    String parquet = folder.resolve("a.parquet").toString();
    Endpoint file = new Endpoint("parquet", parquet, Map.of(), Secret.NONE);
    for (Type from : List.of(Type.Text.UNLIMITED, new Type.Int(32), new Type.Date())) {
      memory.put(
          "rows",
          Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("odd", from))),
          List.of(Row.of(2, null)));
      Copying.of(memory, memory.endpoint("rows"), new ParquetConnector(), file)
          .mode(Mode.REPLACE)
          .run();
      for (Mode mode : List.of(Mode.APPEND, Mode.TRUNCATE)) {
        for (Copying copying :
            List.of(
                Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table("t")),
                Copying.of(new ParquetConnector(), file, DUCKDB, duck.table("t")))) {
          assertThatThrownBy(copying.mode(mode)::run)
              .isInstanceOf(Fault.User.class)
              .hasMessageContaining("column \"odd\" ");
        }
      }
    }
    assertThat(duck.rows("SELECT id, odd IS NULL FROM t")).containsExactly("1 | true");
    Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table("t"))
        .mode(Mode.APPEND)
        .select(List.of("id"))
        .run();
    assertThat(duck.rows("SELECT id, odd IS NULL FROM t")).containsExactly("1 | true", "2 | true");
  }

  @Test
  void aTypeOfAnotherSystemBecomesTextAndTheUserIsTold() throws SQLException {
    Duck duck = Duck.in(folder);
    Column inet =
        new Column("host", new Type.Opaque(), true, new millrace.data.Native("postgresql", "inet"));
    Column any = Column.of("any", Type.Decimal.UNLIMITED);
    try (millrace.spi.write.Target target =
        DUCKDB.target(
            duck.table("t"), millrace.spi.write.WriteOptions.DEFAULT, new OpenContext())) {
      DescribedTarget described = target.describe();
      WriteRequest request = WriteRequest.of(described, Schema.of(List.of(inet, any)), Mode.CREATE);
      List<String> notes = described.plan(request).plan().notes();
      assertThat(notes).anyMatch(note -> note.startsWith("\"host\" (inet) becomes VARCHAR"));
      assertThat(notes).anyMatch(note -> note.startsWith("\"any\" (decimal) becomes VARCHAR"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int64 | TINYINT | 128 | 128 does not fit TINYINT",
        "int64 | UTINYINT | -1 | -1 does not fit UTINYINT",
        "timestamp | TIMESTAMP_S | 500000 | 2000-01-01 00:00:00.5 does not fit TIMESTAMP_S",
        "timestamp | TIMESTAMP_MS | 1 | 2000-01-01 00:00:00.000001 does not fit TIMESTAMP_MS",
        "timestamp | TIMESTAMP_NS | 9000000000000000 | 2285-03-13 16:00:00 does not fit"
            + " TIMESTAMP_NS",
        "timestamp | TIMESTAMP | 9223371999999999999 | does not fit TIMESTAMP"
      })
  void aValueThatATablesColumnCannotHoldIsNamedWithItsRow(
      String incoming, String declared, long value, String reason) throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (v " + declared + ")");
    Type type = incoming.equals("int64") ? new Type.Int(64) : new Type.Timestamp(false);
    MemoryConnector memory = new MemoryConnector();
    Schema schema = Schema.of(List.of(Column.of("v", type)));
    memory.put("rows", schema, List.of(Row.of(1_000_000), Row.of(value)));
    if (incoming.equals("int64")) {
      memory.put("rows", schema, List.of(Row.of(1), Row.of(value)));
    }
    Copying copying = Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table("t"));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("row 2")
        .hasMessageContaining("\"v\"")
        .hasMessageContaining(reason);
    assertThat(duck.rows("SELECT count(*) FROM t")).containsExactly("0");
  }

  @Test
  void aTimestampFromBeforeOurCalendarIsRefusedAndNotChanged() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE a AS SELECT TIMESTAMP '290309-12-22 (BC) 00:00:00' AS early");
    assertThatThrownBy(() -> Copying.of(DUCKDB, duck.table("a"), DUCKDB, duck.table("b")).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("\"early\"");
  }

  @Test
  void aTableTakesColumnsOfOtherTypesWhereValuesFit() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE a AS SELECT '12' AS i, 'x' AS e, '1 day' AS v, [1, 2] AS l, 5::BIGINT AS h",
        "CREATE TABLE b (h HUGEINT, i INTEGER, e ENUM('x'), v INTERVAL, l VARCHAR)");
    Copying.of(DUCKDB, duck.table("a"), DUCKDB, duck.table("b")).mode(Mode.APPEND).run();
    assertThat(duck.rows("SELECT h, i, e, v, l FROM b"))
        .containsExactly("5 | 12 | x | 1 day | [1, 2]");
  }

  @Test
  void textThatIsNoValueOfTheColumnsTypeIsToldInOneLine() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE a AS SELECT 'y' AS e", "CREATE TABLE b (e ENUM('x'))");
    Copying copying = Copying.of(DUCKDB, duck.table("a"), DUCKDB, duck.table("b"));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("y")
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain("\n");
  }

  @Test
  void namesOfAQuerysColumnsAreItsOwn() {
    Duck duck = Duck.in(folder);
    assertThat(names(duck, "SELECT 1 AS a, 2 AS \"b c\"")).containsExactly("a", "b c");
  }

  private static List<String> names(Duck duck, String query) {
    try {
      duck.run("CREATE TABLE x (i INTEGER)");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    try (Source source = DUCKDB.source(duck.query(query), Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description().schema().names();
    }
  }
}
