package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.resume.ResumeChoice;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a user needs who loads or reads a table of another's schema.
class OracleRightsTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final OracleServer OLDER = OracleServer.start(OracleRelease.R19);

  private static final Schema ITEMS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null), Column.of("n", new Type.Int(64))),
          List.of("id"));

  private TestTables owner = new TestTables(SERVER);
  private TestTables loader = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
    OLDER.close();
  }

  private static List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(Row.of(i, i % 10));
    }
    return rows;
  }

  private void items(String... granted) {
    owner.run("CREATE TABLE items (id NUMBER(19) PRIMARY KEY, n NUMBER(19))");
    grant(granted);
  }

  private void grant(String... privileges) {
    for (String each : privileges) {
      owner.run("GRANT " + each + " ON items TO " + loader.user);
    }
  }

  private Copying load(Mode mode, String method) {
    memory.put("rows", ITEMS, rows(2_000));
    String table = owner.user + ".items";
    return Copying.of(
            memory,
            memory.endpoint("rows"),
            oracle,
            loader.endpoint("table", table, "method", method))
        .landing(new WriteOptions(mode, false, List.of("id"), false, WriteOptions.Types.TARGET));
  }

  private String count() {
    return owner.bare("SELECT count(*) FROM items").getFirst();
  }

  @ParameterizedTest
  @ValueSource(strings = {"normal", "direct", "native"})
  void anAppendNeedsNothingButInsert(String method) {
    items("INSERT");
    load(Mode.APPEND, method).run();
    assertThat(count()).isEqualTo("2000");
  }

  @ParameterizedTest
  @CsvSource({
    "MERGE, normal, false, UPDATE, 2000",
    "MERGE, native, false, UPDATE, 2000",
    "REPLACE, normal, false, DELETE, 2000",
    "TRUNCATE, normal, true, DELETE, 2000",
    "APPEND, normal, true, SELECT, 2001",
    "APPEND, native, true, SELECT, 2001",
  })
  void stagedRowsWaitInTheUsersOwnSchema(
      Mode mode, String method, boolean atomic, String more, String count) {
    items("SELECT", "INSERT", more);
    boolean adds = mode == Mode.APPEND;
    owner.run("INSERT INTO items VALUES (" + (adds ? -7 : 7) + ", -1)");
    load(mode, method).atomic(atomic).run();
    assertThat(count()).isEqualTo(count);
    assertThat(owner.bare("SELECT n FROM items WHERE id = 7")).containsExactly("7");
    assertThat(
            loader.bare("SELECT table_name FROM user_tables WHERE table_name <> 'MILLRACE_LOCK'"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "APPEND | normal | SELECT | GRANT INSERT ON",
        "APPEND | native | SELECT | GRANT INSERT ON",
        "TRUNCATE | normal | INSERT | GRANT DROP ANY TABLE TO",
        "MERGE | normal | INSERT | GRANT SELECT ON",
        "MERGE | normal | SELECT, UPDATE | GRANT INSERT ON",
        "REPLACE | normal | SELECT, INSERT | GRANT DELETE ON",
      })
  void aRefusalNamesTheRightThatIsLacking(Mode mode, String method, String given, String grant) {
    items(given);
    refused(mode, method, grant);
    assertThat(count()).isEqualTo("0");
  }

  private void refused(Mode mode, String method, String grant) {
    assertThatThrownBy(() -> load(mode, method).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault ->
                assertThat(fault.advice()).contains(grant).endsWith(" TO " + loader.user + ";"));
  }

  /// It says no more than ORA-01031: the statement tells the rest.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "APPEND | normal | SELECT | GRANT INSERT ON",
        "TRUNCATE | normal | INSERT | GRANT DROP ANY TABLE TO",
        "MERGE | normal | INSERT | GRANT SELECT ON",
        "MERGE | normal | SELECT, UPDATE | GRANT SELECT, INSERT ON",
        "REPLACE | normal | SELECT, INSERT | GRANT DELETE ON",
      })
  void aRefusalOfAnOlderServerNamesItToo(Mode mode, String method, String given, String grant) {
    owner = new TestTables(OLDER);
    loader = new TestTables(OLDER);
    items(given);
    refused(mode, method, grant);
  }

  /// Who has no right at all is told that the table is not there, as a server does.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "R23 |        | ORA-00942: table or view \"%s\".\"ITEMS\" does not exist.",
        "R23 | INSERT | ORA-41900: missing SELECT privilege on \"%s\".\"ITEMS\".",
        "R19 |        | ORA-00942: table or view does not exist.",
        "R19 | INSERT | ORA-01031: insufficient privileges.",
      })
  void aQueryOfWhatMayNotBeReadIsRefusedWithTheServersWordsAndAGrant(
      OracleRelease release, @Nullable String given, String said) {
    owner = new TestTables(release == OracleRelease.R19 ? OLDER : SERVER);
    loader = new TestTables(owner.server);
    items();
    if (given != null) {
      grant(given);
    }
    String query = "SELECT COUNT(*) AS n FROM " + owner.user + ".items";
    memory.put("back", Schema.of(List.of(Column.of("n", new Type.Int(64)))), List.of());
    Copying back =
        Copying.of(oracle, loader.endpoint("query", query), memory, memory.endpoint("back"))
            .mode(Mode.APPEND);
    assertThatThrownBy(back::run)
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("GRANT"))
        .hasMessageEndingWith(said.formatted(owner.user));
  }

  @Test
  void aTableThatIsMadeInAnothersSchemaNeedsTheRightToMakeAny() {
    refused(Mode.CREATE, "normal", "GRANT CREATE ANY TABLE TO");
    owner.run(
        "GRANT CREATE ANY TABLE, ALTER ANY TABLE, DROP ANY TABLE TO " + loader.user,
        "GRANT INSERT ANY TABLE, SELECT ANY TABLE TO " + loader.user);
    load(Mode.CREATE, "normal").run();
    assertThat(count()).isEqualTo("2000");
  }

  /// The journal and the lock need it even if the table is there.
  @Test
  void whoMayMakeNoTablesOfHisOwnIsToldSo() {
    items("INSERT");
    loader.run("REVOKE CREATE TABLE FROM " + loader.user);
    refused(Mode.APPEND, "normal", "GRANT CREATE TABLE TO");
    assertThat(count()).isEqualTo("0");
  }

  private Copying inParts() {
    Amount few = new Amount(100, false);
    return load(Mode.APPEND, "normal").units(few, few, new Amount(200, false));
  }

  private void cutOff() {
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.EXECUTE,
                "INSERT INTO \"" + owner.user + "\".\"ITEMS\"",
                5,
                new PlannedFault.Effect.Fail(1653, "unable to extend table ITEMS")));
    assertThatThrownBy(() -> inParts().run()).isInstanceOf(Fault.External.class);
    assertThat(SERVER.faults().clear()).isTrue();
  }

  private void resume() {
    inParts().run(ResumeChoice.RESUME, _ -> {}, () -> {});
  }

  @Test
  void aCopyThatWasCutOffGoesOnByTheJournalOfTheUser() {
    items("SELECT", "INSERT");
    loader.run("CREATE TABLE items (id NUMBER(19) PRIMARY KEY, n NUMBER(19))");
    cutOff();
    assertThat(count()).isNotEqualTo("0").isNotEqualTo("2000");
    assertThat(loader.bare("SELECT DISTINCT target FROM millrace_journal"))
        .containsExactly("\"" + owner.user + "\".\"ITEMS\"");
    resume();
    assertThat(count()).isEqualTo("2000");
  }

  /// An earlier version kept the journal beside the table.
  @Test
  void aCopyThatAJournalBesideTheTableKnowsIsNotBegunAgain() {
    items("SELECT", "INSERT");
    cutOff();
    String rows = count();
    loader.run("GRANT SELECT ON millrace_journal TO " + owner.user);
    String kept = loader.user + ".millrace_journal";
    owner.run(
        "CREATE TABLE millrace_journal AS SELECT * FROM " + kept,
        "GRANT SELECT ON millrace_journal TO " + loader.user);
    loader.run("DROP TABLE millrace_journal");
    assertThatThrownBy(this::resume)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault ->
                assertThat(fault.advice())
                    .contains("DELETE FROM \"" + owner.user + "\".\"MILLRACE_JOURNAL\" WHERE"));
    assertThat(count()).isEqualTo(rows);
  }

  /// As of one moment a table is read only with a right of its own; without it one lane reads.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTableOfAnotherSchemaIsReadByAsManyLanesAsTheRightsAllow(boolean mayFlashback) {
    items("INSERT", "SELECT");
    if (mayFlashback) {
      grant("FLASHBACK");
    }
    load(Mode.APPEND, "normal").run();
    memory.put("back", Schema.of(ITEMS.columns()), List.of());
    Copying back =
        Copying.of(
                oracle,
                loader.endpoint("table", owner.user + ".items"),
                memory,
                memory.endpoint("back"))
            .mode(Mode.APPEND)
            .lanes(2, 4 << 10);
    back.run();
    assertThat(memory.rows("back")).hasSize(2_000);
    String grant = "GRANT FLASHBACK ON \"" + owner.user + "\".\"ITEMS\"";
    assertThat(back.plan().toString().contains(grant)).isNotEqualTo(mayFlashback);
  }
}
