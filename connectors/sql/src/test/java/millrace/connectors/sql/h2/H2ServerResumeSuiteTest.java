package millrace.connectors.sql.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.connectors.sql.LockTable;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.JdbcDeaths;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import millrace.testkit.suite.SourceHook;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies by several sessions that are cut off and go on.
class H2ServerResumeSuiteTest extends ResumeSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String database = H2Server.served("resume" + COUNT.incrementAndGet());

  @Override
  public Connector connector() {
    return H2Server.CONNECTOR;
  }

  @Override
  public Endpoint table(String name) {
    return new Endpoint(
        connector().schemes().getFirst(), database, Map.of("table", name), Secret.NONE);
  }

  @Override
  public Deaths deaths() {
    return JdbcDeaths.of(database.substring(database.indexOf('/') + 1));
  }

  private void run(String sql) {
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  private List<String> tables() {
    List<String> names = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", null, null)) {
      while (tables.next()) {
        String name = tables.getString("TABLE_NAME");
        if (!name.equals(LockTable.NAME)) {
          names.add(name);
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return names;
  }

  @Override
  public void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> run("DROP TABLE \"" + name + '"');
      case ROWS -> run("DELETE FROM \"" + name + '"');
      case JOURNAL -> run("DROP TABLE \"millrace_journal\"");
      case STAGED -> leftovers(name).forEach(each -> run("DROP TABLE \"" + each + '"'));
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  @Override
  public List<String> leftovers(String name) {
    return tables().stream().filter(each -> each.contains("_millrace_")).toList();
  }

  @Override
  public List<Endpoint> spellings(String name) {
    return List.of(table(name.toUpperCase(Locale.ROOT)), table("\"" + name + "\""));
  }

  /// Somebody else's rows would be gone with it.
  @ParameterizedTest
  @CsvSource({"CREATE, false", "APPEND, true", "TRUNCATE, true"})
  void aTableThatHasComeMeanwhileIsNotReplaced(Mode mode, boolean atomic) {
    ResumableCopy copy = copy(rows(1_000, ROWS), table("meanwhile"), new Way(mode, atomic));
    Runnable comes = () -> run("CREATE TABLE \"meanwhile\" AS SELECT CAST(7 AS BIGINT) AS \"id\"");
    assertThatThrownBy(() -> copy.beforeTheEnd(comes).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has come into being");
    assertThat(numbers("SELECT \"id\" FROM \"meanwhile\"")).containsExactly(7L);
  }

  /// A merge makes its table first, since rows are staged as that takes them.
  @Test
  void aMergeThatFailsLeavesNoTableThatItHasMade() {
    memory().put("rows", schema(), rows(1_000, ROWS));
    SourceHook hook = SourceHook.after(0, 0);
    Copying copying =
        Copying.of(memory(), memory().endpoint("rows"), connector(), table("made"))
            .mode(Mode.MERGE)
            .between(hook::of, hook::of);
    assertThatThrownBy(copying::run).isInstanceOf(Fault.External.class);
    assertThat(tables()).isEmpty();
  }

  /// Somebody has written into it as soon as it was there.
  @Test
  void aMergeThatFailsLeavesATableThatItHasMadeToTheRowsOfOthers() {
    memory().put("rows", schema(), rows(1_000, ROWS));
    SourceHook hook =
        SourceHook.after(
            0,
            0,
            () -> {
              run("INSERT INTO \"made\" (\"id\") VALUES (7)");
              throw new Fault.External(SourceHook.CUT_OFF, "", null);
            });
    Copying copying =
        Copying.of(memory(), memory().endpoint("rows"), connector(), table("made"))
            .mode(Mode.MERGE)
            .between(hook::of, hook::of);
    assertThatThrownBy(copying::run).isInstanceOf(Fault.External.class);
    assertThat(tables()).containsExactly("made");
    assertThat(numbers("SELECT \"id\" FROM \"made\"")).containsExactly(7L);
  }

  /// What was staged is as the table took it then.
  @Test
  void aMergeDoesNotGoOnIntoATableThatTakesOtherValuesByNow() {
    Way way = new Way(Mode.MERGE, false);
    List<Row> before = before(table("altered"), way);
    ResumableCopy copy = copy(rows(1_000, ROWS), table("altered"), way);
    kill(copy, ResumableCopy.Kill.AMONG_ROWS);
    run("ALTER TABLE \"altered\" ALTER COLUMN \"name\" SET DATA TYPE VARCHAR(90)");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("--fresh"))
        .hasMessageContaining("table altered are others than when the copy began");
    copy.fresh().run();
    assertHolds(all(before, rows(1_000, ROWS)), "altered", copy);
  }

  private List<Long> numbers(String query) {
    List<Long> numbers = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
    } catch (SQLException e) {
      throw new AssertionError(query, e);
    }
    return numbers;
  }

  @AfterEach
  void drop() {
    run("SHUTDOWN");
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "names are compared without it here",
        Behaviour.SIGN_OF_ZERO, "H2 does not keep it",
        Behaviour.NAME_PATTERNS, "its tables are not listed here",
        Behaviour.TABLE_IDENTITY, "H2 gives tables no identity that stays",
        Behaviour.SERVER, "it is tried with others",
        Behaviour.OTHER_PROCESS, "the tests start it in their own",
        Behaviour.LOSS_OF_LAST_STAGED,
            "rows that are committed stay, and to count them would be to read them all");
  }
}
