package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.copy.Increment;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// One case of each landing, for a system whose rows land by the SQL kit. The kit is tried in full
/// on an engine that commits in parts and on one that commits all at once. What is left to try of
/// each other system is what it makes of the kit's statements.
public interface KitSuite extends Suite {

  /// The suites whose promises the kit keeps for all of its systems, each with the reason why such
  /// a system leaves it out.
  Map<Class<? extends Suite>, String> BY_THE_KIT =
      Stream.<Class<? extends Suite>>of(
              BadRowPlacesSuite.class,
              IncrementalSuite.class,
              LandingSuite.class,
              MergeKeySuite.class,
              MergeSuite.class,
              SelectionSuite.class,
              SetAsideSuite.class)
          .collect(
              Collectors.toUnmodifiableMap(
                  Function.identity(),
                  _ -> "the SQL kit keeps it: tried in full on SQLite and an H2 server"));

  static Stream<Arguments> landings() {
    return Stream.of(Mode.values())
        .flatMap(mode -> Stream.of(false, true).map(atomic -> Arguments.of(mode, atomic)));
  }

  /// On several lanes.
  @ParameterizedTest(name = "{0}, atomic {1}")
  @MethodSource("landings")
  default void rowsLandAsTheModePromises(Mode mode, boolean atomic) {
    needs(mode, atomic);
    Endpoint table = mode == Mode.CREATE ? table("landed") : tenRows("landed");
    int first = mode == Mode.APPEND ? 10 : 5;
    Ran run = copying(items(first, 400), table, mode).atomic(atomic).run();
    List<Row> before =
        switch (mode) {
          case APPEND -> items(0, 10);
          case MERGE -> items(0, 5);
          case CREATE, REPLACE, TRUNCATE -> List.of();
        };
    RowCheck.sameRows(ITEMS, both(before, items(first, 400)), read(ITEMS, table));
    assertThat(run.meter().rowsDurable()).isEqualTo(400);
  }

  /// The second row of a key wins. Rows that are as they were are counted apart.
  @Test
  default void aMergeUpdatesInsertsAndCounts() {
    Endpoint table = table("merged");
    write(ITEMS, List.of(Row.of(1, "a", 1), Row.of(2, null, 2), Row.of(3, "c", null)), table);
    List<Row> rows =
        List.of(
            Row.of(1, "a", 1),
            Row.of(2, "first", 2),
            Row.of(2, null, 7),
            Row.of(4, "d", null),
            Row.of(3, "c", 3));
    checkCounts(copying(rows, table, Mode.MERGE).run(), 1, 2, 1, 1);
    List<Row> expected =
        List.of(Row.of(1, "a", 1), Row.of(2, null, 7), Row.of(3, "c", 3), Row.of(4, "d", null));
    RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
  }

  /// Its texts are one if they differ in case alone; the table keeps its spelling.
  @Test
  default void aMergeTakesKeysForOneThatItsTableTakesForOne() {
    sql("codes", "CREATE TABLE %s (k " + anyCase() + " NOT NULL PRIMARY KEY, v varchar(20))");
    sql("codes", "INSERT INTO %s VALUES ('Ann', 'old')");
    Schema codes = Schema.of(List.of(Column.of("k", TEXT), Column.of("v", TEXT)));
    List<Row> rows = List.of(Row.of("ANN", "first"), Row.of("ann", "new"), Row.of("bob", "one"));
    checkCounts(merging(codes, rows, table("codes")).run(), 1, 1, 0, 1);
    RowCheck.sameRows(
        codes, List.of(Row.of("Ann", "new"), Row.of("bob", "one")), read(codes, table("codes")));
  }

  /// Rows come as text, and one is not a number. If they go to the table itself, one more breaks a
  /// rule of it, and one has a key that is there.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void badRowsAreSetAsideAloneInEachLanding(boolean atomic) throws IOException {
    needs(Mode.APPEND, atomic);
    sql(
        "ruled",
        "CREATE TABLE %s (id bigint PRIMARY KEY, name varchar(40), amount decimal(9,2), CHECK"
            + " (amount <> 13))");
    List<Row> rows = new ArrayList<>();
    IntStream.range(0, 60).forEach(i -> rows.add(Row.of(String.valueOf(i), "good", "1.50")));
    rows.add(5, Row.of("no number", "bad", "1.00"));
    if (!atomic) {
      rows.add(30, Row.of("100", "bad", "13.00"));
      rows.add(Row.of("7", "bad", "1.50"));
    }
    int bad = rows.size() - 60;
    Path file = aside().resolve("bad.csv");
    Schema texts = Schema.of(ITEMS.names().stream().map(name -> Column.of(name, TEXT)).toList());
    Copying copying =
        into(texts, rows, table("ruled")).mode(Mode.APPEND).atomic(atomic).lanes(1, 600);
    assertThatThrownBy(copying.rejects(new Job.RejectPolicy(bad - 1, null))::run)
        .isInstanceOf(Fault.Data.class);
    sql("ruled", "DELETE FROM %s");
    Ran run = copying.rejects(new Job.RejectPolicy(bad, file)).run();
    assertThat(run.meter().rejects()).isEqualTo(bad);
    assertThat(Files.readAllLines(file)).hasSize(bad + 1).contains("no number,bad,1.00");
    assertThat(read(ITEMS, table("ruled")))
        .hasSize(60)
        .allMatch(row -> "good".equals(row.value(1)));
  }

  /// What changed since the last copy is read, also if that one was cut off.
  @Test
  default void anIncrementalCopyBringsWhatIsNew() {
    Schema changing =
        new Schema(
            List.of(
                new Column("id", new Type.Int(64), false, null),
                Column.of("v", TEXT),
                Column.of("at", new Type.Int(64))),
            List.of("id"));
    List<Row> rows = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      rows.removeIf(row -> Long.valueOf(7).equals(row.value(0)));
      for (int i = 0; i < 20; i++) {
        rows.add(Row.of(100 * round + i + 10, "v" + round, 30 * round + i));
      }
      rows.add(Row.of(7, "v" + round, 30 * round + 20));
      memory().put("changing", changing, rows);
      Copying copying =
          Copying.of(memory(), memory().endpoint("changing"), connector(), table("changing"))
              .landing(new WriteOptions(Mode.MERGE, false, List.of("id"), false))
              .incremental(new Increment("at", null, null))
              .lanes(2, 60);
      if (round == 1) {
        FaultPlan fault = FaultPlan.at(FaultPlan.Site.WRITE, 1, 0, FaultPlan.Kind.EXTERNAL);
        assertThatThrownBy(copying.to(new FaultyConnector(connector(), fault))::run)
            .isInstanceOf(Fault.External.class);
      }
      copying.run();
      RowCheck.sameRows(changing, rows, read(changing, table("changing")));
      assertThat(copying.run().meter().rows()).as("nothing is new").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"id < 100 AND name IS NOT NULL", "amount > 5000.25 OR id IN (3, 5)"})
  default void aConditionIsTrueOfTheSameRowsInTheSystem(String condition) {
    List<Row> expected =
        items(0, 8_000).stream()
            .filter(row -> {
              long id = row.value(0) instanceof Long value ? value : -1;
              boolean isLarge = row.value(2) instanceof Long amount && amount > 500_025;
              return condition.startsWith("id")
                  ? id < 100 && row.value(1) != null
                  : isLarge || id == 3 || id == 5;
            })
            .toList();
    memory().put("selected", Schema.of(ITEMS.columns()), List.of());
    Copying.of(connector(), filled(), memory(), memory().endpoint("selected"))
        .mode(Mode.APPEND)
        .lanes(2, 16 << 10)
        .select(new Selection(List.of(), condition, Long.MAX_VALUE))
        .run();
    RowCheck.sameRows(ITEMS, expected, memory().rows("selected"));
  }
}
