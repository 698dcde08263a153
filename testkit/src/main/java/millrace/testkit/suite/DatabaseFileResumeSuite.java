package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.RowCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// {@link ResumeSuite} for databases that lie in files, one each, and keep the mark of a complete
/// copy in the table `millrace_journal`.
public abstract class DatabaseFileResumeSuite extends ResumeSuite {

  private static final String JOURNAL = "millrace_journal";

  @TempDir Path folder;

  /// Connects to a file by other means than the connector.
  protected abstract Connection connect(Path file) throws SQLException;

  /// A query for the names of all tables that are there.
  protected abstract String tableNames();

  /// The file that the tables are in.
  protected final Path file() {
    return folder.resolve("resume.db");
  }

  /// A table of the database in a file.
  protected Endpoint end(Path file, String table) {
    String scheme = connector().schemes().getFirst();
    return new Endpoint(scheme, file.toString(), Map.of("table", table), Secret.NONE);
  }

  /// The schema of a table that is named alone.
  protected String schemaName() {
    return "main";
  }

  /// What the database makes of a name without quotes.
  protected String inCatalog(String name) {
    return name;
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.SERVER, "the database is in files",
        Behaviour.SHARED_COMMITS, "a copy is one transaction, whatever its splits are",
        Behaviour.TABLE_IDENTITY, "a table is known by its name alone",
        Behaviour.LOSS_OF_STAGED, "a copy is one transaction, which leaves no rows",
        Behaviour.LOSS_OF_LAST_STAGED, "a copy is one transaction, which leaves no rows");
  }

  @Override
  public final Endpoint table(String name) {
    return end(file(), name);
  }

  private void run(String sql) {
    try (Connection connection = connect(file());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public final void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> run("DROP TABLE " + name);
      case ROWS -> run("DELETE FROM " + name);
      case JOURNAL -> {
        if (tables().contains(JOURNAL)) {
          run("DROP TABLE " + JOURNAL);
        }
      }
      case STAGED -> throw notGiven(Behaviour.LOSS_OF_STAGED);
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  /// Names of all tables, in lower case.
  private List<String> tables() {
    List<String> names = new ArrayList<>();
    try (Connection connection = connect(file());
        Statement statement = connection.createStatement();
        ResultSet tables = statement.executeQuery(tableNames())) {
      while (tables.next()) {
        names.add(tables.getString(1).toLowerCase(Locale.ROOT));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return names;
  }

  @Override
  public final List<String> leftovers(String name) {
    List<String> names = tables();
    names.removeIf(each -> !each.contains("millrace") || each.equals(JOURNAL));
    return names;
  }

  @Override
  public final List<Endpoint> spellings(String name) {
    Path fromHere = Path.of("").toAbsolutePath().relativize(file());
    return List.of(
        end(file(), schemaName() + "." + name),
        end(file(), (schemaName() + "." + name).toUpperCase(Locale.ROOT)),
        end(file(), "\"" + inCatalog(name) + "\""),
        end(fromHere, name));
  }

  private boolean isMade(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    try (Stream<Path> all = Files.list(folder)) {
      return all.anyMatch(each -> String.valueOf(each.getFileName()).startsWith(name));
    }
  }

  /// Nor by a plan, nor by a copy that is undone.
  @Test
  void aDatabaseThatIsNotThereIsNotMadeByReading() throws IOException {
    needs(Behaviour.MISSING_DATABASES);
    Path none = folder.resolve("none.db");
    Endpoint table = end(none, "items");
    assertThatThrownBy(() -> read(ITEMS, table)).isInstanceOf(Fault.User.class);
    assertThat(isMade(none)).isFalse();
    into(ITEMS, items(0, 10), table).plan();
    assertThat(isMade(none)).isFalse();
    SourceHook hook = SourceHook.after(0, 0);
    Copying cutOff = into(ITEMS, items(0, 10), table).between(hook::of, hook::of);
    assertThatThrownBy(cutOff::run).isInstanceOf(Fault.External.class);
    assertThat(isMade(none)).isFalse();
    into(ITEMS, items(0, 10), table).run();
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  /// What a version before journals had one spelling has written of a copy of 640 rows from 1,000
  /// on into the table `orders_` and the mode.
  protected static String markOfAnEarlierVersion(Mode mode) {
    String job =
        mode == Mode.CREATE
            ? "8b134a704c6c9ccffd32f7c2b4820061"
            : "4da5c8ebafcd6b3041134545f42d837a";
    return """
    {"run":{"id":"20261126-205100-ctvzu","job":"%s","source":"12c143be of 640",\
    "origins":["memory:rows"],"splitBytes":16777216,"lanes":2,\
    "startedAt":"2026-11-26T20:51:00Z"},"mode":"%s","at":"2026-11-26T20:51:00Z","held":true}\
    """
        .formatted(job, mode);
  }

  /// The journal as versions made it that kept marks alone.
  private void dropColumnsOfReceipts() {
    run("CREATE TABLE earlier AS SELECT job, target, details FROM " + JOURNAL);
    run("DROP TABLE " + JOURNAL);
    run("ALTER TABLE earlier RENAME TO " + JOURNAL);
  }

  /// It is read as it is, and has room for receipts once another copy is written down in it.
  @Test
  void aJournalOfMarksAloneIsGoneOnWith() {
    needs(Behaviour.EARLIER_JOURNALS);
    ResumableCopy before = copy(rows(1_000, ROWS), table("orders_before"), Mode.REPLACE);
    before.run();
    dropColumnsOfReceipts();
    assertNothingToDo(before);
    ResumableCopy after = copy(rows(1_000, ROWS), table("orders_after"), Mode.CREATE);
    after.run();
    assertNothingToDo(before);
    assertNothingToDo(after);
    before.fresh().run();
    assertNothingToDo(after);
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND"})
  void aMarkOfAnEarlierVersionIsKnown(Mode mode) {
    needs(Behaviour.EARLIER_JOURNALS);
    String table = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    before(table(table), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(table), mode);
    copy.run();
    dropColumnsOfReceipts();
    run("UPDATE millrace_journal SET details = '" + markOfAnEarlierVersion(mode) + "'");
    assertNothingToDo(copy);
    run("DELETE FROM " + table);
    assertRefused(copy, "is empty, though it held rows then");
    run("UPDATE millrace_journal SET details = '{\"run\":3}'");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).startsWith("Drop it: DROP TABLE "))
        .hasMessageContaining("was written by another version of Millrace");
  }
}
