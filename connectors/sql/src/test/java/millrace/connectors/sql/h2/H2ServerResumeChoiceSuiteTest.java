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
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;
import millrace.testkit.suite.SourceHook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies after which the next command, the source or the target is not the same, by several
/// sessions of H2.
class H2ServerResumeChoiceSuiteTest extends H2ServerResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {

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
    assertHolds(both(before, rows(1_000, ROWS)), "altered", copy);
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
}
