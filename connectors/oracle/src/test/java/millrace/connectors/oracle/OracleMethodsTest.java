package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The ways in which rows are sent, by what the server is sent.
class OracleMethodsTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final Schema ITEMS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED),
              Column.of("amount", new Type.Decimal(9, 2))),
          List.of("id"));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() {
    SERVER.log().clear();
  }

  private static List<Row> rows(int from, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      rows.add(Row.of(i, i % 5 == 0 ? null : "n" + i, i % 3 == 0 ? null : 10L * i));
    }
    return rows;
  }

  private Copying load(Schema schema, List<Row> rows, String method, Mode mode) {
    memory.put("rows", schema, rows);
    return Copying.of(
            memory,
            memory.endpoint("rows"),
            new OracleConnector(_ -> null),
            tables.endpoint("table", "items", "method", method))
        .mode(mode)
        .lanes(2, 64 << 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"normal", "direct", "native", "auto"})
  void allMethodsLoadTheSameRows(String method) {
    Ran ran = load(ITEMS, rows(0, 10_000), method, Mode.CREATE).run();
    assertThat(ran.meter().rows()).isEqualTo(10_000);
    assertThat(ran.plan().toString().contains("by an internal interface of the driver"))
        .isEqualTo(method.equals("native"));
    assertThat(
            tables.bare("SELECT count(*) || ' ' || count(name) || ' ' || sum(amount) FROM items"))
        .containsExactly("10000 8000 3332666.70");
    assertThat(SERVER.log().events(LogEvent.DirectPathFinished.class).isEmpty())
        .isEqualTo(!method.equals("native"));
    assertThat(isDirect()).isEqualTo(method.equals("direct") || method.equals("auto"));
    // The key is there, and holds.
    assertThatThrownBy(() -> tables.run("INSERT INTO items (id) VALUES (1)"))
        .rootCause()
        .hasMessageContaining("ORA-00001");
    load(ITEMS, rows(10_000, 100), method, Mode.APPEND).run();
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("10100");
  }

  private static boolean isDirect() {
    return SERVER.log().statements().stream().anyMatch(sql -> sql.contains("APPEND_VALUES"));
  }

  /// New blocks for each transaction are not for few rows. Streams are never chosen.
  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "5000, false", "5001, true"})
  void fewRowsAreInsertedIfTheUserLeavesTheChoice(int count, boolean direct) {
    Ran ran = load(ITEMS, rows(0, count), "auto", Mode.CREATE).run();
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("" + count);
    assertThat(SERVER.log().events(LogEvent.DirectPathPrepared.class)).isEmpty();
    assertThat(isDirect()).isEqualTo(direct);
    assertThat(ran.notes())
        .anyMatch(note ->
            direct
                ? note.contains("(--method direct)")
                : note.contains("(--method normal): about %,d rows".formatted(count)));
  }

  /// Rules that the user does not see: triggers of others, and policies of rows (VPD).
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "26086 | direct path does not support triggers",
        "28113 | policy predicate has error",
        "28115 | policy with check option violation",
        "28116 | insufficient privileges to do direct path access"
      })
  void whatTheServerDoesNotLetInDirectlyIsInsertedIfTheUserLeavesTheChoice(int code, String text) {
    tables.run("CREATE TABLE items (id NUMBER(19), name VARCHAR2(100), amount NUMBER(9,2))");
    PlannedFault refusal =
        new PlannedFault(
            ServerCall.EXECUTE, "APPEND_VALUES", 0, new PlannedFault.Effect.Fail(code, text));
    SERVER.faults().add(refusal);
    Ran ran = load(ITEMS, rows(0, 20_000), "auto", Mode.APPEND).run();
    assertThat(SERVER.faults().clear()).isTrue();
    assertThat(ran.notes())
        .anyMatch(note ->
            note.contains("(--method normal): the server refused")
                && note.contains("ORA-%05d: %s".formatted(code, text)));
    assertThat(tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items"))
        .containsExactly("20000 20000");
    SERVER.faults().add(refusal);
    assertThatThrownBy(() -> load(ITEMS, rows(0, 20_000), "direct", Mode.APPEND).run())
        .hasMessageContaining("ORA-%05d: %s".formatted(code, text));
    assertThat(SERVER.faults().clear()).isTrue();
  }

  /// The row that is tried is bad by itself, or by what is in the table: it is set aside once.
  @Test
  void aBadFirstRowIsSetAsideOnce() {
    tables.run(
        "CREATE TABLE items (id NUMBER(19) PRIMARY KEY, name VARCHAR2(9), amount NUMBER(9,2))",
        "INSERT INTO items (id) VALUES (1)");
    List<Row> rows = new ArrayList<>(rows(0, 6_000));
    rows.set(0, Row.of(0, "too long for it", null));
    Ran ran =
        load(ITEMS, rows, "auto", Mode.APPEND)
            .rejects(new Job.RejectPolicy(10, null))
            .lanes(1, 1 << 20)
            .run();
    assertThat(ran.meter().rejects()).isEqualTo(2);
    assertThat(tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items"))
        .containsExactly("5999 5999");
    assertThat(ran.notes()).anyMatch(note -> note.contains("ORA-00001"));
  }

  /// What direct inserts may find too long in the middle is not begun by them.
  @Test
  void columnsOfLongValuesAreInsertedIfTheUserLeavesTheChoice() {
    tables.run("CREATE TABLE items (id NUMBER(19), name CLOB, amount NUMBER(9,2))");
    Ran ran = load(ITEMS, withOneLong(6_000, 5_500, 40_000), "auto", Mode.APPEND).run();
    assertThat(ran.notes()).anyMatch(note -> note.contains("column NAME is CLOB"));
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("6000");
  }

  @Test
  void aBatchWithMissingValuesIsOneCall() {
    load(ITEMS, rows(0, 3_000), "normal", Mode.CREATE).lanes(1, Long.MAX_VALUE).run();
    List<LogEvent.Executed> inserts =
        SERVER.log().events(LogEvent.Executed.class).stream()
            .filter(each -> each.sql().startsWith("INSERT INTO") && each.executions() > 1)
            .toList();
    assertThat(inserts.stream().mapToInt(LogEvent.Executed::executions).sum()).isEqualTo(3_000);
    assertThat(inserts)
        .hasSizeLessThanOrEqualTo(6)
        .allSatisfy(each ->
            assertThat(each.bindTypes())
                .containsExactly(TtcType.NUMBER, TtcType.VARCHAR, TtcType.NUMBER));
  }

  /// Rows before a bad one are in the table when its batch is refused, and are not sent again. Long
  /// texts cut a batch into several calls, so that it has to be undone.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBatchGoesOnBehindABadRow(boolean hasLongTexts) {
    tables.run(
        "CREATE TABLE items (id NUMBER(19) PRIMARY KEY, name CLOB, amount NUMBER(9,2))",
        "INSERT INTO items VALUES (3, 'there', 0)",
        "INSERT INTO items VALUES (77, 'there', 0)",
        "INSERT INTO items VALUES (78, 'there', 0)",
        "INSERT INTO items VALUES (99, 'there', 0)");
    SERVER.log().clear();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(Row.of(i, hasLongTexts && i % 7 == 2 ? "x".repeat(40_000) : "n" + i, 10L * i));
    }
    Ran ran =
        load(ITEMS, rows, "normal", Mode.APPEND)
            .lanes(1, Long.MAX_VALUE)
            .rejects(new Job.RejectPolicy(10, null))
            .run();
    assertThat(ran.meter().rejects()).isEqualTo(4);
    assertThat(ran.meter().rows()).isEqualTo(96);
    assertThat(
            tables.bare(
                "SELECT count(*) || ' ' || count(DISTINCT id) || ' ' || sum(amount) FROM items"))
        .containsExactly("100 100 469.30");
    assertThat(SERVER.log().statements().stream().anyMatch(sql -> sql.startsWith("SAVEPOINT")))
        .isEqualTo(hasLongTexts);
    if (!hasLongTexts) {
      assertThat(
              SERVER.log().events(LogEvent.Executed.class).stream()
                  .filter(each -> each.sql().contains("\"ITEMS\" (")))
          .hasSize(4);
    }
  }

  /// The bytes of one value in a stream, behind the piece's header.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NUMBER(9) | 17 | 02c112",
        "NUMBER(20,4) | -12345.678 | 073c644e38221566",
        "NUMBER | 0.5 | 02c033",
        "BINARY_DOUBLE | 0.1 | 08bfb999999999999a",
        "BINARY_FLOAT | -2.5 | 043fdfffff",
        "VARCHAR2(10) | grün | 056772c3bc6e",
        "VARCHAR2(10 CHAR) | a | 0161",
        "NVARCHAR2(10) | ü | 0200fc",
        "CHAR(5) | ab | 056162202020",
        "CHAR(3 CHAR) | ü | 04c3bc2020",
        "CHAR(3 CHAR) | \uD834\uDD1E | 06f09d849e2020",
        "NCHAR(4) | \uD834\uDD1E | 08d834dd1e00200020",
        "DATE | 2026-03-04 05:06:07 | 07787e0304060708",
        "TIMESTAMP(6) | 2026-03-04 05:06:07.123456 | 0b787e0304060708075bca00",
        "TIMESTAMP(6) | 2026-03-04 05:06:07 | 07787e0304060708",
        "TIMESTAMP(6) WITH TIME ZONE | 2026-03-04 05:06:07.5+02 | 0d787e03040407081dcd6500143c",
        "FLOAT(10) | 1.5 | 03c10233",
        "INTERVAL YEAR(2) TO MONTH | 1-6 | 058000000142",
        "INTERVAL DAY(3) TO SECOND(3) | 100 2:3:4.5 | 0b800000643e3f409dcd6500",
        "RAW(4) | \\x0102ff | 030102ff",
        "CLOB | ab | 0400610062",
        "NCLOB | ü | 0200fc",
        "BLOB | \\x01 | 0101"
      })
  void whatIsStreamedIsWhatTheColumnKeeps(String declared, String value, String bytes) {
    tables.run("CREATE TABLE items (v " + declared + ")");
    Schema texts = Schema.of(List.of(Column.of("v", Type.Text.UNLIMITED)));
    load(texts, List.of(Row.of(value)), "native", Mode.APPEND).run();
    byte[] stream = SERVER.log().events(LogEvent.DirectPathStreamed.class).getFirst().stream();
    assertThat(HexFormat.of().formatHex(stream)).endsWith(bytes);
    assertThat(stream).hasSizeLessThanOrEqualTo(bytes.length() / 2 + 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id NUMBER(9), b BOOLEAN | 1 | column B is BOOLEAN",
        "id NUMBER(9), n NUMBER DEFAULT 7 | 1 | nothing for column N, and a stream applies neither",
        "id NUMBER(9) CHECK (id > 0) | 1 | would not be checked"
      })
  void whatStreamsCanNotDoIsRefusedBeforeTheFirstRow(String columns, int id, String words) {
    tables.run("CREATE TABLE items (" + columns + ")");
    List<Column> given = new ArrayList<>(List.of(Column.of("id", new Type.Int(32))));
    if (columns.contains("BOOLEAN")) {
      given.add(Column.of("b", new Type.Bool()));
    }
    Schema schema = Schema.of(given);
    List<Row> rows = List.of(given.size() == 1 ? Row.of(id) : Row.of(id, 1));
    assertThatThrownBy(() -> load(schema, rows, "native", Mode.TRUNCATE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(words);
    assertThat(SERVER.log().statements()).noneMatch(sql -> sql.startsWith("TRUNCATE"));
    load(schema, rows, "auto", Mode.APPEND).run();
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE items (id NUMBER(9)) CLUSTER by_id (id) | storage in cluster BY_ID",
        "CREATE TABLE items (id NUMBER(9) PRIMARY KEY) ORGANIZATION INDEX | organization by index",
        "CREATE GLOBAL TEMPORARY TABLE items (id NUMBER(9)) ON COMMIT PRESERVE ROWS"
            + " | temporary rows"
      })
  void aTableThatKeepsRowsInAnotherWayIsRefusedBeforeTheFirstRow(String table, String words) {
    tables.run(table);
    Schema schema = Schema.of(List.of(Column.of("id", new Type.Int(32))));
    for (String method : List.of("native", "direct")) {
      assertThatThrownBy(() -> load(schema, List.of(Row.of(1)), method, Mode.APPEND).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("direct path fills no table with " + words);
    }
    assertThat(SERVER.log().events(LogEvent.DirectPathPrepared.class)).isEmpty();
    assertThat(load(schema, List.of(Row.of(1)), "auto", Mode.APPEND).run().notes())
        .anyMatch(note -> note.contains(words));
  }

  /// What only the server finds out: a trigger at log-on, an index that has just become unusable.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "26085 | direct path operation must start its own transaction"
            + " | Another statement of the transaction came before the stream",
        "26026 | unique index U.BY_ID initially in unusable state | ALTER INDEX … REBUILD"
      })
  void aStreamThatTheServerDoesNotBeginIsExplained(int code, String text, String advice) {
    tables.run("CREATE TABLE items (id NUMBER(9))");
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.DIRECT_PATH_PREPARE, "", 0, new PlannedFault.Effect.Fail(code, text)));
    Schema schema = Schema.of(List.of(Column.of("id", new Type.Int(32))));
    assertThatThrownBy(() -> load(schema, List.of(Row.of(1)), "native", Mode.APPEND).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("ORA-%05d: %s".formatted(code, text));
              assertThat(fault.advice()).contains(advice);
            });
    assertThat(SERVER.faults().clear()).isTrue();
  }

  /// They say where rows lay in the source, and are copied as such.
  @ParameterizedTest
  @ValueSource(strings = {"ROWID", "UROWID"})
  void rowidsAreCopiedAsTheirText(String type) {
    tables.run("CREATE TABLE items (v " + type + ")");
    Schema texts = Schema.of(List.of(Column.of("v", Type.Text.UNLIMITED)));
    List<Row> rows = List.of(Row.of("AAAR3sAAEAAAACXAAA"), Row.of((Object) null));
    load(texts, rows, "normal", Mode.APPEND).run();
    assertThat(tables.bare("SELECT v FROM items WHERE v IS NOT NULL"))
        .containsExactly("AAAR3sAAEAAAACXAAA");
    assertThatThrownBy(() -> load(texts, List.of(Row.of("x")), "normal", Mode.APPEND).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("is no rowid such as");
    assertThatThrownBy(() -> load(texts, rows, "native", Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("column V is " + type);
  }

  @Test
  void documentsOfXmlAreNotWritten() {
    tables.run("CREATE TABLE items (v XMLTYPE)");
    Schema texts = Schema.of(List.of(Column.of("v", Type.Text.UNLIMITED)));
    assertThatThrownBy(() -> load(texts, List.of(Row.of("x")), "normal", Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("XMLSERIALIZE(CONTENT \"V\" AS");
  }

  @Test
  void documentsOfXmlAreRefusedWithTheFunctionThatGivesTheirText() {
    tables.run("CREATE TABLE items (v XMLTYPE)");
    memory.put("back", Schema.of(List.of(Column.of("v", Type.Text.UNLIMITED))), List.of());
    Copying reading =
        Copying.of(
            new OracleConnector(_ -> null),
            tables.endpoint("table", "items"),
            memory,
            memory.endpoint("back"));
    assertThatThrownBy(reading::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("XMLSERIALIZE(CONTENT \"V\" AS CLOB NO INDENT)");
  }

  @Test
  void keysThatAreThereTwiceKeepANewTableFromAppearing() {
    List<Row> rows = new ArrayList<>(rows(0, 100));
    rows.addAll(rows(50, 1));
    assertThatThrownBy(() -> load(ITEMS, rows, "native", Mode.CREATE).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("ORA-02437");
    assertThat(tables.bare("SELECT count(*) FROM user_tables WHERE table_name = 'ITEMS'"))
        .containsExactly("0");
  }

  /// A row whose text is longer than those of the others.
  private static List<Row> withOneLong(int count, int at, int bytes) {
    List<Row> rows = rows(0, count);
    rows.set(at, Row.of(at, "x".repeat(bytes), null));
    return rows;
  }

  /// As comments and descriptions have them.
  @ParameterizedTest
  @CsvSource({
    "direct, 996",
    "direct, 997",
    "direct, 4000",
    "normal, 997",
    "normal, 4000",
    "native, 4000"
  })
  void aLongTextAmongShortOnesIsLoaded(String method, int bytes) {
    tables.run("CREATE TABLE items (id NUMBER(19), name VARCHAR2(4000), amount NUMBER(9,2))");
    load(ITEMS, withOneLong(3_000, 1_500, bytes), method, Mode.APPEND).lanes(1, 1 << 20).run();
    assertThat(tables.bare("SELECT count(*) || ' ' || max(length(name)) FROM items"))
        .containsExactly("3000 " + bytes);
  }

  @Test
  void aValueThatADirectInsertCanNotSendWithOthersIsRefused() {
    tables.run("CREATE TABLE items (id NUMBER(19), name CLOB, amount NUMBER(9,2))");
    assertThatThrownBy(() -> load(ITEMS, withOneLong(10, 5, 40_000), "direct", Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no value of more than 32766 bytes");
    load(ITEMS, withOneLong(10, 5, 40_000), "normal", Mode.APPEND).run();
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("10");
  }

  /// The driver sends such a batch in pieces, and says of the last one alone what it did.
  @ParameterizedTest
  @CsvSource({"500, 505", "500, 700", "500, 999", "500, 499", "998, 999"})
  void aBadRowIsFoundBehindALongText(int longAt, int badAt) {
    tables.run(
        "CREATE TABLE items (id NUMBER(19) PRIMARY KEY, name VARCHAR2(4000), amount NUMBER(9,2))");
    List<Row> rows = withOneLong(1_000, longAt, 2_000);
    rows.set(badAt, Row.of(3, "twice", null));
    Ran ran =
        load(ITEMS, rows, "normal", Mode.APPEND)
            .rejects(new Job.RejectPolicy(10, null))
            .lanes(1, 1 << 20)
            .run();
    assertThat(ran.meter().rejects()).isEqualTo(1);
    assertThat(tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items"))
        .containsExactly("999 999");
  }

  @Test
  void keysThatATableHasAlreadyAreToldOnceTheyAreIn() {
    load(ITEMS, rows(0, 100), "native", Mode.CREATE).run();
    assertThatThrownBy(() -> load(ITEMS, rows(50, 100), "native", Mode.APPEND).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("unusable");
  }

  /// A copy whose connection is lost when a stream has been ended, so that the receipt of that is
  /// missing. It has one lane: of two, the stream that ends well may lack its receipt too.
  ///
  /// @param before how many streams end well before
  private ResumableCopy cutBehindAStream(Mode mode, int before) {
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.DIRECT_PATH_FINISH, "", before, new PlannedFault.Effect.ResetAfter()));
    ResumableCopy copy =
        ResumableCopy.of(load(ITEMS, rows(0, 20_000), "native", mode).lanes(1, 64 << 10), 500);
    assertThatThrownBy(copy::run).isInstanceOf(Fault.Transient.class);
    assertThat(SERVER.faults().clear()).isTrue();
    return copy;
  }

  /// Staged rows were to be added to it, and it is not made anew.
  @ParameterizedTest
  @CsvSource({"APPEND, true", "TRUNCATE, true", "MERGE, false"})
  void aCopyThatWasCutOffIsNotResumedIfTheTableIsGone(Mode mode, boolean atomic) {
    tables.run("CREATE TABLE items (id NUMBER(19), name VARCHAR2(100), amount NUMBER(9,2))");
    ResumableCopy copy =
        ResumableCopy.of(
            load(ITEMS, rows(0, 1_000), "normal", mode).atomic(atomic).lanes(1, 1 << 10), 20);
    copy.cutBehindReceipt(20);
    tables.run("DROP TABLE items PURGE");
    for (Runnable each : List.<Runnable>of(copy::decide, copy::run)) {
      assertThatThrownBy(each::run)
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("is not there any more")
          .extracting(thrown -> ((Fault) thrown).advice())
          .asString()
          .contains("--fresh");
    }
    copy.fresh().run();
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("1000");
  }

  /// Each number is the length of a row's text; 0 is a missing one.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "5 4000 6",
        "1000 3000 6 996 997",
        "2000 4000 2001 995 7",
        "4000 0 5",
        "0 0 0",
        "0 997 0 5 4000 0"
      })
  void textsOfAllLengthsAreStreamedAsTheyAre(String lengths) {
    checkTexts("native", lengths);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5 32766 6", "0 0 0", "0 997 0 5"})
  void textsOfAllLengthsAreInsertedDirectlyAsTheyAre(String lengths) {
    checkTexts("direct", lengths);
  }

  /// The driver would load others.
  @ParameterizedTest
  @ValueSource(ints = {4_001, 32_767, 40_000})
  void longerTextsAreNotStreamed(int length) {
    assertThatThrownBy(() -> checkTexts("native", "5 " + length))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("A stream takes no value of more than 4000 bytes")
        .hasMessageContaining("has " + length);
  }

  private void checkTexts(String method, String lengths) {
    tables.run("CREATE TABLE items (v CLOB)");
    List<Row> rows = new ArrayList<>();
    for (String length : lengths.split(" ", -1)) {
      int letters = Integer.parseInt(length);
      String text = Character.toString('a' + rows.size()).repeat(letters);
      rows.add(Row.of(letters == 0 ? null : text));
    }
    Schema texts = Schema.of(List.of(Column.of("v", Type.Text.UNLIMITED)));
    load(texts, rows, method, Mode.APPEND).lanes(1, 64 << 10).run();
    memory.put("back", texts, List.of());
    Copying.of(
            new OracleConnector(_ -> null),
            tables.endpoint("table", "items"),
            memory,
            memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    assertThat(memory.rows("back").stream().map(row -> row.value(0)).toList())
        .containsExactlyInAnyOrderElementsOf(rows.stream().map(row -> row.value(0)).toList());
  }

  @Test
  void aStreamWhoseReceiptIsMissingIsFoundByTheRowsOfItsStagingTable() {
    Ran ran = cutBehindAStream(Mode.CREATE, 1).run();
    assertThat(ran.meter().rowsBefore()).isPositive();
    assertThat(ran.meter().rowsBefore() + ran.meter().rows()).isEqualTo(20_000);
    assertThat(tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items"))
        .containsExactly("20000 20000");
  }

  /// The very first one, too: no receipt speaks of the run then.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aStreamIntoATableThatOthersFillTooIsNotGuessedAt(int before) {
    tables.run("CREATE TABLE items (id NUMBER(19), name VARCHAR2(100), amount NUMBER(9,2))");
    ResumableCopy copy = cutBehindAStream(Mode.APPEND, before);
    assertThat(tables.bare("SELECT SIGN(count(*)) FROM items")).containsExactly("1");
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("nobody can tell");
    copy.fresh().run();
  }

  /// What has sent no row leaves none behind, whether its end was reached or not.
  @Test
  void aStreamWhoseRowsWereAllSetAsideIsNotInDoubt() {
    tables.run("CREATE TABLE items (id NUMBER(19), name VARCHAR2(100), amount NUMBER(9,2))");
    List<Row> rows = new ArrayList<>(rows(0, 100));
    for (int i = 100; i < 3_000; i++) {
      rows.add(Row.of(i, "x".repeat(200), null));
    }
    rows.addAll(rows(3_000, 1_000));
    memory.put("rows", ITEMS, rows);
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.DIRECT_PATH_FINISH, "", 1, new PlannedFault.Effect.ResetAfter()));
    ResumableCopy copy =
        ResumableCopy.of(
            Copying.of(
                    memory,
                    memory.endpoint("rows", Map.of("split-rows", "100")),
                    new OracleConnector(_ -> null),
                    tables.endpoint("table", "items", "method", "native"))
                .mode(Mode.APPEND)
                .rejects(new Job.RejectPolicy(3_000, null))
                .lanes(1, 64 << 10),
            500);
    assertThatThrownBy(copy::run).isInstanceOf(Fault.Transient.class);
    assertThat(SERVER.faults().clear()).isTrue();
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("100");
    copy.run();
    assertThat(tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items"))
        .containsExactly("1100 1100");
  }
}
