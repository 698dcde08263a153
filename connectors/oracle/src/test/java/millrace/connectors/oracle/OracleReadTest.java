package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What declarations mean, and how their values are read.
class OracleReadTest {

  private static final OracleServer SERVER = OracleServer.start();

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private Schema described(String table) {
    try (Source source =
        oracle.source(tables.endpoint("table", table), Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description().schema();
    }
  }

  /// The value of the only column, as text.
  private List<String> texts(String table, Type type, String... more) {
    memory.put("back", Schema.of(List.of(Column.of("v", type))), List.of());
    String[] all = new String[more.length + 2];
    all[0] = "table";
    all[1] = table;
    System.arraycopy(more, 0, all, 2, more.length);
    Copying.of(oracle, tables.endpoint(all), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory.rows("back").stream().map(row -> String.valueOf(row.value(0))).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "NUMBER(4) | int16 | 1234 | 1234",
        "NUMBER(9) | int32 | 123456789 | 123456789",
        "NUMBER(18) | int64 | 1 | 1",
        "NUMBER(19) | decimal(19,0) | 9999999999999999999 | 9999999999999999999",
        "NUMBER(9,2) | decimal(9,2) | 1.5 | 1.50",
        "NUMBER(*,2) | decimal(38,2) | 12.34 | 12.34",
        "NUMBER(*) | decimal(38,0) | 12 | 12",
        "INTEGER | decimal(38,0) | 12 | 12",
        "NUMBER | decimal | 0.00000000000000000000000000000000001 |"
            + " 0.00000000000000000000000000000000001",
        "FLOAT(10) | decimal | 1.5 | 1.5",
        "NUMBER(5,-2) | decimal | 12300 | 12300",
        "BINARY_DOUBLE | float64 | 0.1 | 0.1",
        "VARCHAR2(5 CHAR) | text(5) | 'ü' | ü",
        "VARCHAR2(5) | text(5 bytes) | 'ü' | ü",
        "CHAR(3) | text(3 bytes) | 'a' | a  ",
        "NVARCHAR2(5) | text(5 utf-16) | 'ü' | ü",
        "DATE | timestamp | DATE '2026-03-04' | 2026-03-04 00:00:00",
        "INTERVAL DAY(2) TO SECOND(1) | text | NULL | null",
        "CLOB | text | TO_CLOB('x') | x",
        "RAW(2) | bytes | NULL | null",
        "BOOLEAN | boolean | TRUE | true"
      })
  void whatADeclarationMeans(String declared, String type, String literal, String text) {
    tables.run("CREATE TABLE t (v " + declared + ")", "INSERT INTO t VALUES (" + literal + ")");
    assertThat(described("t").column(0).type().label()).isEqualTo(type);
    assertThat(texts("t", Type.Text.UNLIMITED).getFirst().strip()).isEqualTo(text.strip());
  }

  @Test
  void aDateIsADayIfTheTargetWantsOneAndHasNoTime() {
    tables.run("CREATE TABLE t (v DATE)", "INSERT INTO t VALUES (DATE '2026-03-04')");
    assertThat(texts("t", new Type.Date())).hasSize(1);
    tables.run("INSERT INTO t VALUES (TO_DATE('2026-03-04 10:00', 'YYYY-MM-DD HH24:MI'))");
    assertThatThrownBy(() -> texts("t", new Type.Date()))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("with a time of day");
  }

  @Test
  void aNumberOfOneDigitIsTruthIfTheTargetWantsIt() {
    tables.run("CREATE TABLE t (v NUMBER(1))", "INSERT INTO t VALUES (1)");
    assertThat(texts("t", new Type.Bool())).containsExactly("1");
    tables.run("INSERT INTO t VALUES (7)");
    assertThatThrownBy(() -> texts("t", new Type.Bool())).isInstanceOf(Fault.Data.class);
  }

  @Test
  void vectorsAreReadAsTheirText() {
    tables.run(
        "CREATE TABLE t (v VECTOR(3, FLOAT32))",
        "INSERT INTO t VALUES ('[1, -0.5, 1234.5]')",
        "INSERT INTO t VALUES (NULL)");
    assertThat(texts("t", Type.Text.UNLIMITED))
        .containsExactlyInAnyOrder("[1.0E+000,-5.0E-001,1.2345E+003]", "null");
    SERVER.log().clear();
    tables.run("CREATE VIEW w AS SELECT v FROM t");
    assertThat(described("w").column(0).type()).isEqualTo(Type.Text.UNLIMITED);
  }

  @Test
  void nanosecondsAreToldWithWhatCutsThem() {
    tables.run(
        "CREATE TABLE t (v TIMESTAMP(9))",
        "INSERT INTO t VALUES (TO_TIMESTAMP('2026-03-04 10:00:00.123456789', 'YYYY-MM-DD"
            + " HH24:MI:SS.FF9'))");
    assertThatThrownBy(() -> texts("t", new Type.Timestamp(false)))
        .isInstanceOfSatisfying(
            Fault.Data.class,
            fault -> {
              assertThat(fault).hasMessageContaining("with nanoseconds");
              assertThat(fault.advice()).contains("CAST(\"V\" AS TIMESTAMP(6))");
            });
  }

  /// LOBs that fit their prefetched part need no call of their own.
  @Test
  void lobsComeWithTheirRows() {
    tables.run("CREATE TABLE t (v CLOB)");
    for (int i = 0; i < 20; i++) {
      tables.run("INSERT INTO t VALUES (RPAD('x', 1000, 'y'))");
    }
    SERVER.log().clear();
    assertThat(texts("t", Type.Text.UNLIMITED))
        .hasSize(20)
        .allMatch(text -> text.length() == 1_000);
    assertThat(SERVER.log().events(LogEvent.LobOperation.class)).isEmpty();
  }

  /// The size of what is fetched along goes by how long the first ones are.
  @ParameterizedTest
  @CsvSource({"1", "3"})
  void longLobsComeWithTheirRowsToo(int lanes) {
    Schema schema =
        Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("v", Type.Text.UNLIMITED)));
    memory.put(
        "rows",
        schema,
        IntStream.range(0, 30).mapToObj(i -> Row.of(i, "y".repeat(90_000 + i * 1_000))).toList());
    tables.run("CREATE TABLE t (id NUMBER(9), v CLOB)");
    Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", "t"))
        .mode(Mode.APPEND)
        .run();
    memory.put("back", schema, List.of());
    SERVER.log().clear();
    Copying.of(oracle, tables.endpoint("table", "t"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(lanes, 1 << 20)
        .run();
    assertThat(memory.rows("back")).containsExactlyInAnyOrderElementsOf(memory.rows("rows"));
    assertThat(SERVER.log().events(LogEvent.LobOperation.class)).isEmpty();
  }

  /// Rows of a fetch times the size, and the size itself if a row is larger than a fetch.
  @ParameterizedTest
  @CsvSource({
    "0, 1, 32768",
    "1000, 1, 32768",
    "20000, 1, 80659",
    "100000, 1, 419430",
    "100000, 4, 104857",
    "5000000, 1, 8388608",
    "9000000000, 8, 1048576"
  })
  void whatIsFetchedAlongOfLobs(long average, int columns, int size) {
    assertThat(OracleLobs.size(average, columns)).isEqualTo(size);
  }

  /// All rows once each, by three lanes that see one state, and what was asked of the server.
  private List<String> inThree(String table, String... more) {
    memory.put("back", described(table), List.of());
    List<String> parameters = new ArrayList<>(List.of("table", table));
    parameters.addAll(List.of(more));
    SERVER.log().clear();
    Copying.of(
            oracle,
            tables.endpoint(parameters.toArray(String[]::new)),
            memory,
            memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(3, 1 << 20)
        .run();
    assertThat(memory.rows("back"))
        .extracting(row -> row.value(0))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 300).mapToObj(i -> (Object) Long.valueOf(i)).toList());
    List<String> reads =
        SERVER.log().statements().stream()
            .filter(sql -> sql.contains("AS OF SCN") && sql.contains("ORA_HASH"))
            .filter(sql -> !sql.contains("FETCH FIRST"))
            .toList();
    assertThat(
            reads.stream()
                .map(sql -> sql.replaceFirst("(?s).*AS OF SCN (\\d+).*", "$1"))
                .distinct())
        .as("one state")
        .hasSizeLessThanOrEqualTo(1);
    return reads;
  }

  @Test
  void aViewIsReadByHashesIfTheUserSaysSo() {
    tables.run("CREATE TABLE t (id NUMBER(9), v VARCHAR2(20), c CLOB)");
    insertNumbers("t (id, v)", "%d, NULL");
    tables.run("CREATE VIEW v AS SELECT id, v, c FROM t");
    assertThat(inThree("v")).isEmpty();
    List<String> reads = inThree("v", "split-by", "hash");
    assertThat(reads).hasSize(3).allMatch(sql -> sql.contains("ORA_HASH(\"V\", 4294967295, 1)"));
    assertThat(reads).noneMatch(sql -> sql.contains("ORA_HASH(\"C\""));
    try (Source source =
        oracle.source(
            tables.endpoint("table", "v", "split-by", "hash"), Selection.ALL, new OpenContext())) {
      SourceDescription told = source.describe(new ColumnRequest.Typed()).description();
      assertThat(told.reading().notes())
          .containsExactly(
              "The view is read by ranges of ORA_HASH, one for each lane: the server goes through"
                  + " all of its rows for each.");
      assertThat(told.size().cuts()).isFalse();
    }
  }

  @Test
  void aTableOrganizedByItsIndexIsReadByRangesOrElseHashesOfItsKey() {
    tables.run("CREATE TABLE i (id NUMBER(9) PRIMARY KEY) ORGANIZATION INDEX");
    insertNumbers("i", "%d");
    assertThat(inThree("i")).isEmpty();
    assertThat(inThree("i", "split-by", "hash")).hasSize(3);
    tables.run("CREATE TABLE d (id BINARY_DOUBLE PRIMARY KEY) ORGANIZATION INDEX");
    insertNumbers("d", "%d");
    memory.put("back", Schema.of(List.of(Column.of("id", new Type.Float(64)))), List.of());
    SERVER.log().clear();
    Copying.of(oracle, tables.endpoint("table", "d"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(3, 1 << 20)
        .run();
    assertThat(memory.rows("back")).extracting(row -> row.value(0)).doesNotHaveDuplicates();
    assertThat(memory.rows("back")).hasSize(300);
    assertThat(SERVER.log().statements())
        .anyMatch(sql -> sql.contains("NVL(ORA_HASH(\"ID\", 4294967295, 0), 0) >= "));
  }

  /// The statements that read rows of a table, by lanes that see one state, and all rows once each.
  private List<String> inParts(String table) {
    memory.put("back", described(table), List.of());
    SERVER.log().clear();
    Copying.of(oracle, tables.endpoint("table", table), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(3, 1 << 20)
        .run();
    assertThat(memory.rows("back"))
        .extracting(row -> row.value(0))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 300).mapToObj(i -> (Object) Long.valueOf(i)).toList());
    return SERVER.log().statements().stream().filter(sql -> sql.contains("AS OF SCN")).toList();
  }

  private static final String CHUNKS = "DBMS_PARALLEL_EXECUTE";

  @Test
  void aDividedTableIsReadByItsPartitionsIfTheServerCanNotBeAskedToCutIt() {
    tables.run(
        "CREATE TABLE p (id NUMBER(9)) PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (10),"
            + " PARTITION \"b's\" VALUES LESS THAN (200), PARTITION c VALUES LESS THAN (MAXVALUE))",
        "CREATE TABLE s (id NUMBER(9)) PARTITION BY RANGE (id) SUBPARTITION BY HASH (id)"
            + " SUBPARTITIONS 2 (PARTITION a VALUES LESS THAN (10), PARTITION c VALUES LESS THAN"
            + " (MAXVALUE))");
    insertNumbers("p", "%d");
    insertNumbers("s", "%d");
    assertThat(inParts("p")).noneMatch(sql -> sql.contains("PARTITION ("));
    SERVER.revoke(CHUNKS);
    try {
      List<String> reads =
          inParts("p").stream()
              .filter(sql -> sql.matches(".* PARTITION \\(\"(A|b's|C)\"\\) AS OF SCN \\d+"))
              .toList();
      assertThat(reads).hasSize(3);
      assertThat(reads.stream().map(sql -> sql.replaceFirst(".* AS OF SCN ", "")).distinct())
          .as("one state")
          .hasSize(1);
      assertThat(inParts("s")).filteredOn(sql -> sql.contains(" SUBPARTITION (\"")).hasSize(4);
      try (Source source =
          oracle.source(tables.endpoint("table", "s"), Selection.ALL, new OpenContext())) {
        assertThat(source.describe(new ColumnRequest.Typed()).description().reading().notes())
            .singleElement(InstanceOfAssertFactories.STRING)
            .startsWith(
                "The table is read by its subpartitions, each as a whole: the server does not cut"
                    + " it (the user needs EXECUTE ON DBMS_PARALLEL_EXECUTE): PLS-00201: identifier"
                    + " 'DBMS_PARALLEL_EXECUTE.CREATE_TASK' must be declared");
      }
    } finally {
      SERVER.grant(CHUNKS);
    }
  }

  @Test
  void theLargestPartitionIsReadFirst() {
    tables.run(
        "CREATE TABLE p (id NUMBER(9)) PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (10),"
            + " PARTITION c VALUES LESS THAN (100), PARTITION b VALUES LESS THAN (MAXVALUE))");
    insertNumbers("p", "%d");
    tables.run("BEGIN DBMS_STATS.GATHER_TABLE_STATS(USER, 'P'); END;");
    SERVER.revoke(CHUNKS);
    try {
      memory.put("back", described("p"), List.of());
      SERVER.log().clear();
      Copying.of(oracle, tables.endpoint("table", "p"), memory, memory.endpoint("back"))
          .mode(Mode.APPEND)
          .lanes(1, 1 << 20)
          .run();
      assertThat(SERVER.log().statements())
          .filteredOn(sql -> sql.contains(" PARTITION (\""))
          .extracting(sql -> sql.replaceFirst("(?s).* PARTITION \\(\"(.)\"\\).*", "$1"))
          .containsExactly("B", "C", "A");
    } finally {
      SERVER.grant(CHUNKS);
    }
  }

  @Test
  void aTableThatTheServerCanNotBeAskedToCutIsReadByItsKey() {
    tables.run("CREATE TABLE k (id NUMBER(9) PRIMARY KEY)");
    insertNumbers("k", "%d");
    SERVER.revoke(CHUNKS);
    try {
      assertThat(inParts("k")).isNotEmpty();
    } finally {
      SERVER.grant(CHUNKS);
    }
  }

  @Test
  void onlyHashesSplitAView() {
    assertThatThrownBy(() ->
            oracle.source(
                tables.endpoint("table", "v", "split-by", "magic"),
                Selection.ALL,
                new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no split-by=magic");
  }

  private void insertNumbers(String into, String values) {
    tables.run(
        IntStream.range(0, 300)
            .mapToObj(i -> "INSERT INTO " + into + " VALUES (" + values.formatted(i) + ")")
            .toArray(String[]::new));
  }

  @Test
  void viewsAndQueriesAreReadByOneLane() {
    tables.run("CREATE VIEW v AS SELECT 1 AS a FROM dual");
    assertThat(described("v").names()).containsExactly("A");
    try (Source source =
        oracle.source(
            tables.endpoint("query", "SELECT 1 AS a, 'x' AS b FROM dual"),
            Selection.ALL,
            new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().lanes().max())
          .isEqualTo(1);
    }
  }

  @Test
  void aTableThatIsNotThereIsToldWithThoseThatAre() {
    tables.run("CREATE TABLE other (a NUMBER)");
    assertThatThrownBy(() -> described("t"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("has no table T");
              assertThat(fault.advice()).contains("OTHER");
            });
  }
}
