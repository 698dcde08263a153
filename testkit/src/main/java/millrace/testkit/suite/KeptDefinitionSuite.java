package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of a table's definition if the table is replaced: nothing of it goes without a
/// word. And what becomes of values for a column that the database makes itself.
public interface KeptDefinitionSuite extends Suite {

  /// A table with a rule.
  ///
  /// @param columns as CREATE TABLE has them between its parentheses
  /// @param broken the values of a row that the rule refuses, beside those of {@link #ROWS}
  record Ruled(String columns, String broken) {}

  String COLUMNS = "id bigint, name varchar, amount decimal(9,2)";

  List<Row> ROWS = List.of(Row.of(1, "a", 100), Row.of(2, "b", 200), Row.of(3, "c", 300));

  /// They break the rule that names are told apart.
  List<Row> TWICE = List.of(Row.of(4, "same", 100), Row.of(5, "same", 100));

  Schema PLAIN = Schema.of(ITEMS.columns());

  static Stream<Ruled> ruled() {
    return Stream.of(
        new Ruled("id bigint PRIMARY KEY, name varchar, amount decimal(9,2)", "1, 'x', 1"),
        new Ruled(COLUMNS + ", PRIMARY KEY (name, id)", "1, 'a', 1"),
        new Ruled(COLUMNS + ", UNIQUE (name)", "9, 'b', 1"),
        new Ruled(COLUMNS + ", UNIQUE (amount, name)", "9, 'b', 2"),
        new Ruled("id bigint, name varchar NOT NULL, amount decimal(9,2)", "9, NULL, 1"),
        new Ruled(COLUMNS + ", CHECK (amount <> 13)", "9, 'x', 13"),
        new Ruled(
            "id bigint, name varchar CHECK (name <> 'bad'), amount decimal(9,2)", "9,'bad',1"),
        new Ruled(
            "id bigint PRIMARY KEY, name varchar UNIQUE, amount decimal(9,2) NOT NULL",
            "9, 'x', NULL"));
  }

  private void checkHolds(String name, Ruled ruled) {
    String insert = "INSERT INTO %s (id, name, amount) VALUES ";
    assertThatThrownBy(() -> sql(name, insert + "(" + ruled.broken + ")"))
        .as("a row that breaks a rule")
        .rootCause()
        .message()
        .containsPattern(
            "(?i)unique|primary key|duplicate|not null|null value|null not allowed|be null|insert"
                + " null|check|constraint");
    assertThatCode(() -> sql(name, insert + "(8, 'other', 8)")).doesNotThrowAnyException();
    sql(name, "DELETE FROM %s WHERE id = 8");
  }

  /// If a column of text has no length in the source, and has one in the table, its type is the
  /// table's.
  private Copying replacing(List<Row> rows, String table) {
    WriteOptions.Types types = can(Behaviour.TEXT_KEYS) ? null : WriteOptions.Types.TARGET;
    return into(PLAIN, rows, table(table))
        .landing(new WriteOptions(Mode.REPLACE, false, List.of(), false, types));
  }

  @ParameterizedTest
  @MethodSource("ruled")
  default void aReplacedTableKeepsItsRules(Ruled ruled) {
    sql("rules", "CREATE TABLE %s (" + ruled.columns + ")");
    sql("rules", "INSERT INTO %s VALUES (1, 'old', 5)");
    Copying copying = replacing(ROWS, "rules");
    for (int i = 0; i < 2; i++) {
      copying.run();
      RowCheck.sameRows(ITEMS, ROWS, read(ITEMS, table("rules")));
      checkHolds("rules", ruled);
    }
  }

  @Test
  default void aReplacedTableKeepsItsDefaults() {
    needs(Behaviour.TEXT_KEYS);
    sql(
        "defaults",
        "CREATE TABLE %s (id bigint, name varchar DEFAULT 'none', amount decimal(9,2) DEFAULT"
            + " 7)");
    into(PLAIN, ROWS, table("defaults")).mode(Mode.REPLACE).run();
    sql("defaults", "INSERT INTO %s (id) VALUES (9)");
    assertThat(read(ITEMS, table("defaults"))).contains(Row.of(9, "none", 700)).hasSize(4);
  }

  @Test
  default void aReplaceThatFailsLeavesTheOldTableWithItsRules() {
    Ruled ruled = new Ruled(COLUMNS + ", CONSTRAINT one_name UNIQUE (name)", "9, 'a', 1");
    sql("failed", "CREATE TABLE %s (" + ruled.columns + ")");
    into(PLAIN, ROWS, table("failed")).mode(Mode.APPEND).run();
    assertThatThrownBy(() -> replacing(TWICE, "failed").run())
        .isInstanceOf(Fault.Data.class)
        .message()
        .containsAnyOf("name", kept("name"), "same");
    RowCheck.sameRows(ITEMS, ROWS, read(ITEMS, table("failed")));
    checkHolds("failed", ruled);
  }

  /// The plan tells of triggers, and a replace keeps them or says that it does not. It runs none.
  @Test
  default void triggersAreToldOfAndNoneIsLostInSilence() {
    sql("triggered", "CREATE TABLE %s (" + COLUMNS + ")");
    sql("triggered", "INSERT INTO %s VALUES (1, 'old', 5)");
    sql("trigger_log", "CREATE TABLE %s (what varchar(1))");
    logged("triggered", "trigger_log");
    Schema log = Schema.of(List.of(Column.of("what", Type.Text.UNLIMITED)));
    Copying appending = into(PLAIN, ROWS, table("triggered")).mode(Mode.APPEND);
    assertThat(String.join("\n", appending.plan().notes()).contains("triggers of the table run"))
        .isEqualTo(tellsOfLateTriggers());
    Copying replacing =
        into(PLAIN, ROWS, table("triggered"))
            .landing(
                new WriteOptions(Mode.REPLACE, false, List.of(), false, WriteOptions.Types.TARGET));
    boolean isToldOf = String.join("\n", replacing.plan().notes()).contains("trigger");
    replacing.run();
    RowCheck.sameRows(ITEMS, ROWS, read(ITEMS, table("triggered")));
    int before = read(log, table("trigger_log")).size();
    sql("triggered", "INSERT INTO %s VALUES (9, 'new', 5)");
    int after = read(log, table("trigger_log")).size();
    assertThat(after - before).as("calls of the trigger").isEqualTo(isToldOf ? 0 : 1);
  }

  /// Either all is as before, or the view has the new rows.
  @ParameterizedTest
  @EnumSource(
      value = WriteOptions.Types.class,
      names = {"SOURCE", "TARGET"})
  default void aViewOfAReplacedTableStays(WriteOptions.Types types) {
    needs(Behaviour.VIEWS);
    sql("viewed", "CREATE TABLE %s (" + COLUMNS + ")");
    sql("viewed", "CREATE VIEW %1$s_seen AS SELECT id, name, amount FROM %1$s");
    sql("viewed", "INSERT INTO %s VALUES (1, 'old', 5)");
    List<Row> expected = ROWS;
    try {
      into(PLAIN, ROWS, table("viewed"))
          .landing(new WriteOptions(Mode.REPLACE, false, List.of(), false, types))
          .run();
    } catch (Fault.User refusal) {
      assertThat(refusal).hasMessageContaining(kept("viewed_seen"));
      expected = List.of(Row.of(1, "old", 500));
    }
    RowCheck.sameRows(ITEMS, expected, read(ITEMS, table("viewed_seen")));
    RowCheck.sameRows(ITEMS, expected, read(ITEMS, table("viewed")));
  }

  @Test
  default void aCommentIsKeptOrItsLossIsTold() {
    sql("commented", "CREATE TABLE %s (" + COLUMNS + ")");
    comment("commented");
    sql("commented", "INSERT INTO %s VALUES (1, 'old', 5)");
    into(PLAIN, ROWS, table("commented"))
        .landing(new WriteOptions(Mode.REPLACE, false, List.of(), false, WriteOptions.Types.TARGET))
        .run();
    RowCheck.sameRows(ITEMS, ROWS, read(ITEMS, table("commented")));
    Schema other = others().findFirst().orElseThrow();
    Copying copying = into(other, rows(other), table("commented")).mode(Mode.REPLACE);
    try {
      assertThat(String.join("\n", copying.plan().notes())).contains("comment");
    } catch (Fault.User refusal) {
      assertThat(refusal).hasMessageContaining("comment");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "APPEND, false",
    "APPEND, true",
    "TRUNCATE, false",
    "TRUNCATE, true",
    "MERGE, false",
    "MERGE, true",
    "REPLACE, false"
  })
  default void valuesForAColumnThatTheDatabaseMakesAreLeftOut(Mode mode, boolean byPosition) {
    if (mode == Mode.REPLACE) {
      needs(Behaviour.TEXT_KEYS);
    }
    String columns = "id bigint PRIMARY KEY, twice " + twiceTheId() + ", name varchar";
    sql("made", "CREATE TABLE %s (" + columns + ")");
    insert("made", "(id, name)", "1, 'old'", "2, 'same'");
    Schema there = made("id", "twice", "name");
    Schema source = byPosition ? made("a", "b", "c") : there;
    List<Row> rows = List.of(Row.of(3, 99, "new"), Row.of(4, null, null));
    Copying copying =
        into(source, rows, table("made"))
            .landing(new WriteOptions(mode, false, List.of(), byPosition));
    assertThat(copying.plan().notes())
        .containsOnlyOnce(
            "the target itself makes the values of column "
                + kept("twice")
                + " (a generated column): the source's"
                + " are left out");
    copying.run();
    List<Row> kept = List.of(Row.of(1, 2, "old"), Row.of(2, 4, "same"));
    List<Row> loaded = List.of(Row.of(3, 6, "new"), Row.of(4, 8, null));
    boolean stay = mode == Mode.APPEND || mode == Mode.MERGE;
    RowCheck.sameRows(
        there,
        Stream.concat(stay ? kept.stream() : Stream.of(), loaded.stream()).toList(),
        read(there, table("made")));
    sql("made", "INSERT INTO %s (id, name) VALUES (9, 'x')");
    assertThat(read(there, table("made"))).contains(Row.of(9, 18, "x"));
  }

  private static Schema made(String id, String twice, String name) {
    return Schema.of(
        List.of(
            Column.of(id, new Type.Int(64)),
            Column.of(twice, new Type.Int(64)),
            Column.of(name, Type.Text.UNLIMITED)));
  }

  @Test
  default void aRowCanBeSetAsideWholeIfAColumnOfItIsLeftOut() {
    String columns = "id bigint PRIMARY KEY, twice " + twiceTheId() + ", name varchar";
    sql("made_bad", "CREATE TABLE %s (" + columns + ")");
    Schema source =
        Schema.of(
            List.of(
                Column.of("twice", Type.Text.UNLIMITED),
                Column.of("name", Type.Text.UNLIMITED),
                Column.of("id", Type.Text.UNLIMITED)));
    List<Row> rows =
        List.of(
            Row.of("x", "a", "1"),
            Row.of("y", "b", "none"),
            Row.of(null, "c", "3"),
            Row.of("z", null, "4"));
    Copying copying =
        into(source, rows, table("made_bad"))
            .mode(Mode.APPEND)
            .rejects(new Job.RejectPolicy(1, null));
    assertThat(copying.run().meter().firstReject()).contains("none");
    Schema there = made("id", "twice", "name");
    RowCheck.sameRows(
        there,
        List.of(Row.of(1, 2, "a"), Row.of(3, 6, "c"), Row.of(4, 8, null)),
        read(there, table("made_bad")));
  }

  @Test
  default void nothingThatCanBeWrittenIsRefused() {
    sql("made_alone", "CREATE TABLE %s (id bigint, twice " + twiceTheId() + ")");
    Schema source = Schema.of(List.of(Column.of("twice", new Type.Int(64))));
    assertThatThrownBy(
            () -> into(source, List.of(Row.of(1)), table("made_alone")).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("No column of the source can be written to ");
  }

  /// Columns that can't go into the old table.
  static Stream<Schema> others() {
    Column id = Column.of("id", new Type.Int(64));
    Column name = Column.of("name", Type.Text.UNLIMITED);
    return Stream.of(
        Schema.of(List.of(id, name)),
        Schema.of(List.of(id, name, Column.of("colour", Type.Text.UNLIMITED))),
        Schema.of(List.of(id, name, Column.of("amount", new Type.Int(16)))));
  }

  private static List<Row> rows(Schema schema) {
    return schema.width() == 2 ? List.of(Row.of(7, "x")) : List.of(Row.of(7, "x", null));
  }

  @ParameterizedTest
  @MethodSource("others")
  default void rulesThatCantStayAreNamedBeforeTheyGo(Schema other) {
    sql("lost", "CREATE TABLE %s (" + COLUMNS + ", PRIMARY KEY (id), UNIQUE (name))");
    sql("lost", "INSERT INTO %s VALUES (1, 'old', 5)");
    Copying copying = into(other, rows(other), table("lost")).mode(Mode.REPLACE);
    assertThatThrownBy(copying::plan)
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("--types source"))
        .hasMessageContaining("can't be replaced as it is")
        .hasMessageContaining("primary key (" + kept("id") + ")")
        .hasMessageMatching("(?s).*(unique|index).*" + kept("name") + ".*");
    List<Row> before = List.of(Row.of(1, "old", 500));
    RowCheck.sameRows(ITEMS, before, read(ITEMS, table("lost")));
  }

  @ParameterizedTest
  @MethodSource("others")
  default void theSourcesTypesTakeThePlaceOfTheRulesIfThatIsAskedFor(Schema other) {
    sql("dropped", "CREATE TABLE %s (" + COLUMNS + ", PRIMARY KEY (id), UNIQUE (name))");
    WriteOptions options =
        new WriteOptions(Mode.REPLACE, false, List.of(), false, WriteOptions.Types.SOURCE);
    Copying copying = into(other, rows(other), table("dropped")).landing(options);
    assertThat(String.join("\n", copying.plan().notes())).contains("primary key");
    copying.run();
    RowCheck.sameRows(other, rows(other), read(other, table("dropped")));
    assertThatCode(() -> sql("dropped", "INSERT INTO %s (id, name) VALUES (7, 'x')"))
        .doesNotThrowAnyException();
  }
}
