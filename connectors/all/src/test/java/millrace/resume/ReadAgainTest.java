package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A table that is copied into PostgreSQL and was cut off goes on if what was copied is unchanged:
/// since nothing else tells, its rows are read again.
class ReadAgainTest extends OrdersInPostgres {

  /// A table of blocks that each make a split, and an empty one to copy into. Versions before 14
  /// read a table as a whole, so that there is nothing to resume.
  private void assumeTablesAreReadInParts() {
    assumeThat(Integer.parseInt(value("SHOW server_version_num"))).isGreaterThan(140_000);
  }

  private ResumableCopy copyOfTable(Mode mode) {
    assumeTablesAreReadInParts();
    server.execute(
        database,
        "CREATE TABLE others AS SELECT i AS id, 'name' || chr(10) || i AS name"
            + " FROM generate_series(1, "
            + ROWS
            + ") i; CREATE TABLE orders (id int, name text)");
    return copy(table("others"), table("orders"), mode);
  }

  private void assertSameAsOthers() {
    assertThat(
            value(
                "SELECT count(*) FROM ((TABLE orders EXCEPT ALL TABLE others)"
                    + " UNION ALL (TABLE others EXCEPT ALL TABLE orders)) t"))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 20, 41})
  void aTableGoesOnWhereWhatWasCopiedIsUnchanged(int batches) {
    ResumableCopy copy = copyOfTable(Mode.APPEND);
    copy.cut(batches);
    long before = Long.parseLong(value("SELECT count(*) FROM orders"));
    // What lies behind may change as it likes: the copy is of the later moment as a whole.
    server.execute(
        database,
        "DELETE FROM others WHERE id = "
            + ROWS
            + "; INSERT INTO others SELECT -i, 'more' FROM generate_series(1, 3000) i");
    copy.resumed().cut(4);
    Ran run = copy.resumed().run();
    assertSameAsOthers();
    assertThat(run.meter().rows()).isLessThanOrEqualTo(ROWS - 1 + 3000 - before);
    if (before > 0) {
      assertThat(run.notes().toString()).contains("were read again to see that they are unchanged");
    }
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE others SET name = 'x' WHERE id % 10 = 7",
        "DELETE FROM others WHERE id % 10 = 7",
        "CREATE TABLE copy AS SELECT * FROM others ORDER BY id DESC; TRUNCATE others;"
            + " INSERT INTO others SELECT * FROM copy",
        "ALTER TABLE others ALTER COLUMN id TYPE bigint"
      })
  void aTableWhoseCopiedRowsChangedIsRefusedAndNothingIsWritten(String change) {
    ResumableCopy copy = copyOfTable(Mode.APPEND);
    copy.cutBehindReceipt(20);
    String before = value("SELECT count(*) FROM orders");
    server.execute(database, change);
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageMatching("(?s).*can't be resumed: (rows that were copied|its columns).*")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--fresh");
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(before);
  }

  /// Its end says how to go on.
  @Test
  void aCopyThatIsStoppedWhileItReadsAgainStaysAsItWas() {
    ResumableCopy copy = copyOfTable(Mode.APPEND);
    copy.cutBehindReceipt(20);
    String before = value("SELECT count(*) FROM orders");
    Ran stopped = copy.resumed().failing(Fault.Cancelled.class, "stop", run -> run.cancel("stop"));
    assertThat(stopped.kept()).isTrue();
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(before);
    copy.resumed().run();
    assertSameAsOthers();
  }

  @Test
  void rowsThatAreWrittenElsewhereAreNoChangeWhereTheySayTheSame() {
    ResumableCopy copy = copyOfTable(Mode.APPEND);
    copy.cutBehindReceipt(20);
    server.execute(database, "UPDATE others SET id = id WHERE id = " + ROWS);
    copy.resumed().run();
    assertSameAsOthers();
  }

  /// They lie behind all that was copied, or in a partition that came later.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCompleteCopyOfATableThatHasMoreRowsByNowIsRefused(boolean partitioned) {
    ResumableCopy copy = copyOfTable(Mode.APPEND);
    if (partitioned) {
      server.execute(
          database,
          "ALTER TABLE others RENAME TO part;"
              + " CREATE TABLE others (LIKE part) PARTITION BY RANGE (id);"
              + " ALTER TABLE others ATTACH PARTITION part FOR VALUES FROM (0) TO (10000000)");
    }
    copy.resumed().run();
    assertSameAsOthers();
    if (partitioned) {
      server.execute(
          database, "CREATE TABLE later PARTITION OF others FOR VALUES FROM (-10000000) TO (0)");
    }
    server.execute(
        database,
        "INSERT INTO others SELECT -i, repeat('x', 500) FROM generate_series(1, 20000) i");
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("complete since");
    assertThat(value("SELECT count(*) FROM orders WHERE id < 0")).isEqualTo("0");
  }

  @Test
  void aViewIsCopiedWholeOrFromTheStart() {
    ResumableCopy copy = copyOfTable(Mode.APPEND);
    server.execute(database, "CREATE VIEW seen AS SELECT * FROM others");
    ResumableCopy ofView = copy(table("seen"), copy.copying().job().to(), Mode.APPEND);
    ofView.cut(5);
    ofView.resumed().runUntold();
    assertSameAsOthers();
    Ran run = ofView.resumed().run();
    assertThat(run.notes().toString()).contains("complete since");
    assertSameAsOthers();
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @CsvSource({"parquet, 300000", "duckdb, 30000"})
  void whatDuckDbReadsGoesOnWhileItsFileIsTheSame(String system, int rows) {
    Path file = folder.resolve("made." + system);
    Endpoint made =
        new Endpoint(
            system,
            file.toString(),
            system.equals("duckdb") ? Map.of("table", "t") : Map.of(),
            Secret.NONE);
    Endpoint source =
        new Endpoint("generate", "tokens", Map.of("rows", Integer.toString(rows)), Secret.NONE);
    copy(source, made, Mode.CREATE).run();
    ResumableCopy copy = copy(made, table("copied"), Mode.APPEND, false, 1, 0);
    copy.cutBehindReceipt(rows / 150);
    String before = value("SELECT count(*) FROM copied");
    assertThat(before).isNotEqualTo("0");
    ResumableCopy more = copy(made, table("copied"), Mode.APPEND, false, 3, 0).resumed();
    Ran run = more.run();
    assertThat(run.meter().rows()).isEqualTo(rows - Long.parseLong(before));
    assertThat(value("SELECT count(*) FROM copied")).isEqualTo(Integer.toString(rows));
    copy.cutBehindReceipt(rows / 150);
    copy(source, made, Mode.REPLACE).run();
    assertThatThrownBy(more::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("can't be resumed: " + file);
  }
}
