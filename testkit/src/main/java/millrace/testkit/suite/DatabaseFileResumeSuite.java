package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.RowCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What databases that lie in files promise besides: nobody who only asks makes one, and what
/// earlier versions kept of copies is known.
public interface DatabaseFileResumeSuite extends JournaledSuite {

  String JOURNAL = DatabaseFileResumeFixture.JOURNAL;

  private static boolean isMade(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    try (Stream<Path> all = Files.list(Objects.requireNonNull(file.getParent()))) {
      return all.anyMatch(each -> String.valueOf(each.getFileName()).startsWith(name));
    }
  }

  /// Nor by a plan, nor by a copy that is undone.
  @Test
  default void aDatabaseThatIsNotThereIsNotMadeByReading() throws IOException {
    needs(Behaviour.MISSING_DATABASES);
    Endpoint table = elsewhere("items");
    Path none = Path.of(table.location());
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
  static String markOfAnEarlierVersion(Mode mode) {
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
    sql(JOURNAL, "CREATE TABLE earlier AS SELECT job, target, details FROM %s");
    sql(JOURNAL, "DROP TABLE %s");
    sql(JOURNAL, "ALTER TABLE earlier RENAME TO %s");
  }

  /// It is read as it is, and has room for receipts once another copy is written down in it.
  @Test
  default void aJournalOfMarksAloneIsGoneOnWith() {
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
  default void aMarkOfAnEarlierVersionIsKnown(Mode mode) {
    needs(Behaviour.EARLIER_JOURNALS);
    String table = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    before(table(table), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(table), mode);
    copy.run();
    dropColumnsOfReceipts();
    sql(JOURNAL, "UPDATE %s SET details = '" + markOfAnEarlierVersion(mode) + "'");
    assertNothingToDo(copy);
    sql(table, "DELETE FROM %s");
    assertRefused(copy, "is empty, though it held rows then");
    sql(JOURNAL, "UPDATE %s SET details = '{\"run\":3}'");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).startsWith("Drop it: DROP TABLE "))
        .hasMessageContaining("was written by another version of Millrace");
  }
}
