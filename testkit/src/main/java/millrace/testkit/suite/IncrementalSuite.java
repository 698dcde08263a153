package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import millrace.copy.Increment;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.mapping.AddedValue;
import millrace.plan.mapping.Mapping;
import millrace.plan.mapping.NewColumns;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies of what is new: whatever changes in the source, and however often a copy is cut off, the
/// target ends as the source is.
public interface IncrementalSuite extends Suite {

  int ROUNDS = 6;

  /// A day that is later than today, and that each system's types have, in days from 2000 on.
  long LATER_DAYS = 13_800;

  String LATER = "2037-10-13";

  Schema CHANGING =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("v", TEXT),
              Column.of("at", new Type.Int(64))),
          List.of("id"));

  /// Update keys of each kind, by their place in time.
  enum UpdateKey {
    NUMBER(1_000),
    DECIMAL(25),
    DATE(1),
    TIMESTAMP(1_500_000),
    INSTANT(Temporals.DAY_MICROS + 1_000);

    private final long step;

    UpdateKey(long step) {
      this.step = step;
    }

    private boolean isMoment() {
      return this != NUMBER && this != DECIMAL;
    }

    private long inADay() {
      return switch (this) {
        case NUMBER, DECIMAL, DATE -> 1;
        case TIMESTAMP, INSTANT -> Temporals.DAY_MICROS;
      };
    }

    /// One that is told from its neighbours by its last digit alone.
    private long fine() {
      return switch (this) {
        case NUMBER -> (1L << 53) + 1;
        case DECIMAL -> 999_999_999_897L;
        case DATE -> 9_497;
        case TIMESTAMP, INSTANT -> 9_000 * Temporals.DAY_MICROS + 999_997;
      };
    }

    private Type type() {
      return switch (this) {
        case NUMBER -> new Type.Int(64);
        case DECIMAL -> new Type.Decimal(12, 2);
        case DATE -> new Type.Date();
        case TIMESTAMP -> new Type.Timestamp(false);
        case INSTANT -> new Type.Timestamp(true);
      };
    }
  }

  private Copying changes(String name, Endpoint table, @Nullable String chunk) {
    return Copying.of(memory(), memory().endpoint(name), connector(), table)
        .landing(new WriteOptions(Mode.MERGE, false, List.of("id"), false))
        .incremental(new Increment("at", null, chunk));
  }

  /// Rows are inserted and updated between copies, some of which fail at some place.
  @ParameterizedTest
  @CsvSource({"1,", "2,", "3, 5", "4,"})
  default void theTargetEndsAsTheSourceIsWhateverCopyIsCutOff(long seed, @Nullable String chunk) {
    needs(Behaviour.MERGE);
    Random random = new Random(seed);
    Endpoint table = table("history_" + seed);
    Map<Long, Row> rows = new TreeMap<>();
    long clock = 0;
    int cutOff = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int changed = 1 + random.nextInt(20);
      for (int i = 0; i < changed; i++) {
        long id = random.nextInt(30);
        clock++;
        rows.put(id, Row.of(id, "v" + clock, clock));
      }
      memory().put("history", CHANGING, List.copyOf(rows.values()));
      FaultPlan faults = FaultPlan.random(random.nextLong(), 0.3, List.of(FaultPlan.Kind.EXTERNAL));
      try {
        changes("history", table, chunk)
            .lanes(2, 60)
            .to(new FaultyConnector(connector(), faults))
            .run();
      } catch (Fault.External _) {
        cutOff++;
      }
    }
    changes("history", table, chunk).run();
    RowCheck.sameRows(CHANGING, List.copyOf(rows.values()), read(CHANGING, table));
    assertThat(cutOff).as("copies that were cut off").isPositive();
    assertThat(rowsRead(changes("history", table, chunk).run())).as("nothing is new").isZero();
  }

  /// Rows only come. None is added twice, and none is left out.
  @Test
  default void rowsThatOnlyComeAreAddedOnce() {
    needs(Behaviour.APPEND);
    needs(Behaviour.ATOMIC);
    Endpoint table = table("only_come");
    List<Row> rows = new ArrayList<>();
    Random random = new Random(5);
    for (int round = 0; round < ROUNDS; round++) {
      int many = 1 + random.nextInt(30);
      for (int i = 0; i < many; i++) {
        rows.add(Row.of(rows.size(), "v", rows.size()));
      }
      memory().put("new_only_come", CHANGING, rows);
      Copying copying =
          changes("new_only_come", table, null)
              .landing(new WriteOptions(Mode.APPEND, false, List.of(), false))
              .lanes(2, 60);
      FaultPlan faults = FaultPlan.random(random.nextLong(), 0.3, List.of(FaultPlan.Kind.EXTERNAL));
      try {
        copying.to(new FaultyConnector(connector(), faults)).run();
      } catch (Fault.External _) {
        // Cut off: the next one makes up for it.
      }
      if (round % 2 == 0) {
        copying.run();
        RowCheck.sameRows(CHANGING, rows, read(CHANGING, table));
      }
    }
  }

  /// Each copy reads the one row that came since the last one: not that one again, and no row is
  /// stepped over. What can't show all rows at once has its mark kept on this machine.
  @ParameterizedTest
  @EnumSource
  default void eachKeyThatIsTheNextOneIsNew(UpdateKey kind) {
    needs(Behaviour.MERGE);
    needs(heldAs(kind.type()).equals(kind.type()), "columns of " + kind.type().label());
    Schema schema = keyed(kind);
    String name = "grow_" + kind.name().toLowerCase(Locale.ROOT);
    List<Row> rows = new ArrayList<>();
    boolean isTime = kind.type() instanceof Type.Timestamp;
    long unit = isTime ? timeUnit() : 1;
    for (int i = 0; i < 5; i++) {
      rows.add(Row.of(i, (kind.fine() / unit + i) * unit));
      memory().put("new_" + name, schema, rows);
      Copying copying = changes("new_" + name, table(name), null);
      assertThat(rowsRead(copying.run())).as("row %d", i).isEqualTo(1);
      assertThat(rowsRead(copying.run())).as("nothing behind row %d", i).isZero();
    }
    RowCheck.sameRows(schema, rows, read(schema, table(name)));
  }

  /// Of a copy that is cut off, some systems keep rows. That is not the first copy then: the next
  /// one brings the rows without an update key.
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  default void rowsWithoutAnUpdateKeyComeWithTheFirstCopyThatIsComplete(int failing) {
    needs(Behaviour.MERGE);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add(Row.of(i, "v", i % 7 == 6 || i > 50 ? null : i));
    }
    memory().put("new_first", CHANGING, rows);
    Copying copying =
        changes("new_first", table("first"), null)
            .lanes(1, 60)
            .units(null, null, new Amount(3, false));
    FaultPlan faults = FaultPlan.at(FaultPlan.Site.WRITE, failing, 0, FaultPlan.Kind.EXTERNAL);
    Copying cutOff = copying.to(new FaultyConnector(connector(), faults));
    assertThatThrownBy(cutOff::run).isInstanceOf(Fault.External.class);
    copying.run();
    RowCheck.sameRows(CHANGING, rows, read(CHANGING, table("first")));
    assertThat(rowsRead(copying.run())).as("nothing is new").isZero();
  }

  /// A table of which no row has an update key has no mark, and still its rows come once.
  @ParameterizedTest
  @CsvSource({"APPEND, 1,", "APPEND, 20, 5", "MERGE, 20,", "MERGE, 1, 5"})
  default void rowsOfWhichNoneHasAnUpdateKeyComeOnce(Mode mode, int many, @Nullable String chunk) {
    needs(mode, mode == Mode.APPEND);
    Endpoint table = table("none_has_one");
    List<Row> rows =
        new ArrayList<>(IntStream.range(0, many).mapToObj(i -> Row.of(i, "v", null)).toList());
    memory().put("new_none_has_one", CHANGING, rows);
    List<String> key = mode == Mode.MERGE ? List.of("id") : List.of();
    Copying copying =
        changes("new_none_has_one", table, chunk)
            .landing(new WriteOptions(mode, false, key, false));
    for (int i = 0; i < 3; i++) {
      copying.run();
      RowCheck.sameRows(CHANGING, rows, read(CHANGING, table));
    }
    // The first that has one is new.
    rows.add(Row.of(99, "first", -3));
    memory().put("new_none_has_one", CHANGING, rows);
    for (int i = 0; i < 2; i++) {
      copying.run();
      RowCheck.sameRows(CHANGING, rows, read(CHANGING, table));
    }
  }

  /// The ends of what is read are those of the rows that the condition keeps, in chunks too.
  @ParameterizedTest
  @CsvSource({
    "id BETWEEN 3 AND 7,",
    "id BETWEEN 3 AND 7, 10",
    "id <> 9, 25",
    "id > 1, 1",
    "'id = 1 OR id = 9', 15",
    "id = 5, 1000",
    "id < 0, 10",
  })
  default void aConditionMayLeaveTheLeastAndTheGreatestKeyOut(
      String where, @Nullable String chunk) {
    List<Row> all = IntStream.rangeClosed(1, 9).mapToObj(i -> Row.of(i, "v", 10 * i - 45)).toList();
    write(CHANGING, all, table("ends"));
    memory().put("kept", CHANGING, List.of());
    Copying.of(connector(), table("ends"), memory(), memory().endpoint("kept"))
        .mode(Mode.APPEND)
        .select(new Selection(List.of(), where, Long.MAX_VALUE))
        .run();
    List<Row> kept = new ArrayList<>(memory().rows("kept"));
    kept.sort(Comparator.comparingLong(IncrementalSuite::at));
    Copying copying =
        Copying.of(connector(), table("ends"), memory(), memory().endpoint("kept_ends"))
            .landing(new WriteOptions(Mode.APPEND, false, List.of(), false))
            .incremental(new Increment("at", null, chunk));
    for (int there = 0; there <= Math.min(1, kept.size()); there++) {
      memory().put("kept_ends", CHANGING, kept.subList(0, there));
      for (int i = 0; i < 2; i++) {
        copying.select(new Selection(List.of(), where, Long.MAX_VALUE)).run();
        RowCheck.sameRows(CHANGING, kept, memory().rows("kept_ends"));
      }
    }
    // Without it, all rows above those come.
    long mark = kept.isEmpty() ? Long.MIN_VALUE : at(kept.getLast());
    List<Row> expected = new ArrayList<>(kept);
    all.stream().filter(row -> at(row) > mark).forEach(expected::add);
    copying.run();
    RowCheck.sameRows(CHANGING, expected, memory().rows("kept_ends"));
  }

  private static long at(Row row) {
    return row.value(2) instanceof Long at ? at : Long.MIN_VALUE;
  }

  /// A chunk that no row lies in costs nothing, however many there are of those.
  @Test
  default void gapsBetweenChunksAreSteppedOver() {
    needs(Behaviour.MERGE);
    List<Row> rows =
        IntStream.range(0, 6).mapToObj(i -> Row.of(i, "v", i * 1_000_000_000_000L)).toList();
    memory().put("new_gaps", CHANGING, rows);
    changes("new_gaps", table("gaps"), "10").run();
    RowCheck.sameRows(CHANGING, rows, read(CHANGING, table("gaps")));
  }

  private Copying merging(String name, MergeSteps steps) {
    return Copying.of(memory(), memory().endpoint("new_" + name), connector(), table(name))
        .landing(new WriteOptions(Mode.MERGE, false, List.of("id"), false, null, steps));
  }

  /// Ten rows, of which the source changes one, lacks two and has one more.
  private List<Row> changed(String name) {
    needs(Behaviour.MERGE);
    needs(Behaviour.MERGE_WHOLE);
    List<Row> old = IntStream.range(0, 10).mapToObj(i -> Row.of(i, "old", i)).toList();
    write(CHANGING, old, table(name));
    List<Row> rows = new ArrayList<>(old.subList(2, 10));
    rows.set(0, Row.of(2, "new", 20));
    rows.add(Row.of(10, "new", 30));
    memory().put("new_" + name, CHANGING, rows);
    return old;
  }

  @Test
  default void rowsThatAreThereAreLeftAloneIfItIsAskedTo() {
    List<Row> expected = new ArrayList<>(changed("insert_only"));
    Ran ran = merging("insert_only", MergeSteps.INSERT_ONLY).run();
    expected.add(Row.of(10, "new", 30));
    RowCheck.sameRows(CHANGING, expected, read(CHANGING, table("insert_only")));
    assertThat(ran.merged()).isEqualTo(new MergeCounts(1, 0, 0, 0, 8, 0));
  }

  /// Neither a condition nor an option may leave such a row out: both are refused with deletes.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void aRowWithoutAKeyGetsAdviceThatWorksIfRowsAreDeleted(boolean incremental) {
    List<Row> old = changed("no_key_advice");
    List<Row> rows = List.of(Row.of(1, "new", 40), Row.of(null, "lost", 41), Row.of(2, "two", 42));
    List<Column> mayLack =
        CHANGING.columns().stream().map(column -> Column.of(column.name(), column.type())).toList();
    memory().put("new_no_key_advice", Schema.of(mayLack), rows);
    Copying whole = merging("no_key_advice", MergeSteps.USUAL.deleting());
    Copying copying = incremental ? whole.incremental(new Increment("at", null, null)) : whole;
    assertThatThrownBy(copying::run)
        .isInstanceOfSatisfying(
            Fault.Data.class,
            fault ->
                assertThat(fault.advice())
                    .contains("leave --deletes out", "query=SELECT")
                    .doesNotContain("--where"));
    RowCheck.sameRows(CHANGING, old, read(CHANGING, table("no_key_advice")));
  }

  /// Merges that only insert and update, and modes that are no merge, delete nothing.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void whatCanNotDeleteRefusesTo(boolean incremental) {
    needs(!can(Behaviour.MERGE) || !can(Behaviour.MERGE_WHOLE), "merges that can't delete");
    List<Row> old = IntStream.range(0, 10).mapToObj(i -> Row.of(i, "old", i)).toList();
    write(CHANGING, old, table("refused_to"));
    memory().put("new_refused_to", CHANGING, old.subList(2, 8));
    Copying whole = merging("refused_to", MergeSteps.USUAL.deleting());
    Copying copying = incremental ? whole.incremental(new Increment("at", null, null)) : whole;
    assertThatThrownBy(copying::run).isInstanceOf(Fault.User.class);
    RowCheck.sameRows(CHANGING, old, read(CHANGING, table("refused_to")));
  }

  Schema LOOSE =
      Schema.of(
          List.of(
              Column.of("n", new Type.Int(64)),
              Column.of("k", TEXT),
              Column.of("at", new Type.Int(64))));

  /// Rows of a table in which each of two columns may be empty.
  private static List<Row> loose() {
    return List.of(
        Row.of(1, "a", 1),
        Row.of(2, "a", 2),
        Row.of(1, "b", 3),
        Row.of(null, "a", 4),
        Row.of(null, "z", 5),
        Row.of(1, null, 6),
        Row.of(3, null, 7),
        Row.of(null, null, 8));
  }

  private Copying looseMerge(String name, List<Row> rows, List<String> key, boolean incremental) {
    needs(Behaviour.MERGE);
    needs(Behaviour.MERGE_WHOLE);
    needs(Behaviour.MERGE_BY_ANY_COLUMNS);
    needs(Behaviour.KEYLESS);
    write(LOOSE, loose(), table(name));
    memory().put("new_" + name, LOOSE, rows);
    MergeSteps steps = MergeSteps.USUAL.deleting();
    Copying whole =
        Copying.of(memory(), memory().endpoint("new_" + name), connector(), table(name))
            .landing(new WriteOptions(Mode.MERGE, false, key, false, null, steps));
    return incremental ? whole.incremental(new Increment("at", null, null)) : whole;
  }

  /// Of a row whose key is missing, in one column or in all, nobody can tell whether it is gone.
  @ParameterizedTest
  @CsvSource({"n, false", "n, true", "n+k, false", "n+k, true", "k+n, false"})
  default void rowsOfTheTargetWhoseKeyIsMissingStay(String key, boolean incremental) {
    List<String> names = List.of(key.split("\\+", -1));
    List<Row> rows = List.of(Row.of(1, "a", 20), Row.of(4, "d", 21));
    Copying copying = looseMerge("loose", rows, names, incremental);
    copying.run();
    List<Row> expected = new ArrayList<>(rows);
    if (names.contains("k")) {
      expected.addAll(loose().subList(3, 8));
    } else {
      // All three of n = 1 are the one that came.
      expected.add(1, Row.of(1, "a", 20));
      expected.add(1, Row.of(1, "a", 20));
      expected.addAll(loose().subList(3, 5));
      expected.add(Row.of(null, null, 8));
    }
    RowCheck.sameRows(LOOSE, expected, read(LOOSE, table("loose")));
  }

  /// One of the source's might be any of those, so that nothing is deleted.
  @ParameterizedTest
  @CsvSource({"n, false, 20", "n+k, false, 20", "n+k, true, 20", "n, true, 2", "n+k, true, 2"})
  default void aRowOfTheSourceWhoseKeyIsMissingDeletesNothing(
      String key, boolean incremental, int at) {
    List<String> names = List.of(key.split("\\+", -1));
    List<Row> rows = List.of(Row.of(2, "a", 2), Row.of(1, "b", 3), Row.of(null, "a", at));
    Copying copying = looseMerge("loose", rows, names, incremental);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .message()
        .containsPattern("(?i)column \"?n\"?\\b");
    RowCheck.sameRows(LOOSE, loose(), read(LOOSE, table("loose")));
  }

  @Test
  default void rowsThatAreGoneAreDeletedIfItIsAskedTo() {
    changed("gone");
    Ran ran = merging("gone", MergeSteps.USUAL.deleting()).run();
    RowCheck.sameRows(CHANGING, memory().rows("new_gone"), read(CHANGING, table("gone")));
    assertThat(ran.merged()).isEqualTo(new MergeCounts(1, 1, 7, 0, 0, 2));
  }

  @Test
  default void aSourceWithoutRowsDeletesNothing() {
    List<Row> old = changed("no_rows");
    memory().put("new_no_rows", CHANGING, List.of());
    Copying copying = merging("no_rows", MergeSteps.USUAL.deleting());
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has no rows");
    RowCheck.sameRows(CHANGING, old, read(CHANGING, table("no_rows")));
  }

  /// What is gone is found although only what is new is copied.
  @Test
  default void whatIsGoneIsDeletedBesideWhatIsNew() {
    changed("gone_too");
    Copying copying =
        merging("gone_too", MergeSteps.USUAL.deleting())
            .incremental(new Increment("at", null, null));
    assertThat(rowsRead(copying.run())).as("rows, then keys").isPositive();
    RowCheck.sameRows(CHANGING, memory().rows("new_gone_too"), read(CHANGING, table("gone_too")));
  }

  /// Keys are looked for under their names in the target, whatever else becomes of the columns.
  @Test
  default void whatIsGoneIsDeletedUnderOtherNamesToo() {
    needs(Behaviour.MERGE);
    needs(Behaviour.MERGE_WHOLE);
    Type number = new Type.Int(64);
    Schema there =
        new Schema(
            List.of(
                new Column("nr", number, false, null),
                Column.of("note", TEXT),
                Column.of("at", number),
                Column.of("src", number)),
            List.of("nr"));
    write(
        there,
        IntStream.range(0, 5).mapToObj(i -> Row.of(i, "old", i, 7)).toList(),
        table("gone_named"));
    List<Column> columns = new ArrayList<>(CHANGING.columns());
    columns.add(1, Column.of("junk", TEXT));
    memory()
        .put(
            "new_gone_named",
            new Schema(columns, List.of("id")),
            List.of(
                Row.of(2, "x", "new", 20), Row.of(3, "x", "old", 3), Row.of(9, "x", "new", 21)));
    Mapping mapping =
        new Mapping(
            Map.of("id", "nr", "v", "note"),
            Map.of(),
            Map.of("src", new AddedValue.Constant("7", number)),
            List.of("junk"),
            NewColumns.ERROR,
            false);
    MergeSteps steps = MergeSteps.USUAL.deleting();
    Copying.of(memory(), memory().endpoint("new_gone_named"), connector(), table("gone_named"))
        .landing(new WriteOptions(Mode.MERGE, false, List.of("nr"), false, null, steps))
        .mapping(mapping)
        .incremental(new Increment("at", null, null))
        .run();
    RowCheck.sameRows(
        there,
        List.of(Row.of(2, "new", 20, 7), Row.of(3, "old", 3, 7), Row.of(9, "new", 21, 7)),
        read(there, table("gone_named")));
  }

  private Schema keyed(UpdateKey kind) {
    if (!tells(kind)) {
      needs(Behaviour.ALL_UPDATE_KEYS);
      throw notGiven(Behaviour.ALL_UPDATE_KEYS);
    }
    return new Schema(
        List.of(new Column("id", new Type.Int(64), false, null), Column.of("at", kind.type())),
        List.of("id"));
  }

  private Copying newRows(Endpoint table) {
    return Copying.of(connector(), table, memory(), memory().endpoint("marked"))
        .landing(new WriteOptions(Mode.APPEND, false, List.of(), false))
        .incremental(new Increment("at", null, null));
  }

  /// As a source, it gives the rows above the mark alone, whatever kind of value that is.
  @ParameterizedTest
  @EnumSource
  default void rowsAboveTheMarkAreReadWhateverTypeItHas(UpdateKey kind) {
    Schema schema = keyed(kind);
    List<Row> rows = IntStream.rangeClosed(1, 9).mapToObj(i -> Row.of(i, i * kind.step)).toList();
    Endpoint table = table("above_" + kind.name().toLowerCase(Locale.ROOT));
    write(schema, rows, table);
    memory().put("marked", schema, rows.subList(0, 5));
    Copying copying = newRows(table);
    assertThat(rowsRead(copying.run())).isEqualTo(4);
    RowCheck.sameRows(schema, rows, memory().rows("marked"));
    assertThat(rowsRead(copying.run())).isZero();
  }

  /// A row that was committed late is found if it lies within the overlap, its first value
  /// included.
  @ParameterizedTest
  @CsvSource({"NUMBER, 2000", "DECIMAL, 0.5", "DATE, 2d", "TIMESTAMP, 3s", "INSTANT, 2d"})
  default void theOverlapIsReadAgainFromItsFirstValueOn(UpdateKey kind, String overlap) {
    Schema schema = keyed(kind);
    long step = kind == UpdateKey.INSTANT ? Temporals.DAY_MICROS : kind.step;
    List<Row> rows = IntStream.rangeClosed(1, 6).mapToObj(i -> Row.of(i, i * step)).toList();
    Endpoint table = table("late_" + kind.name().toLowerCase(Locale.ROOT));
    write(schema, rows, table);
    List<Row> there = new ArrayList<>(rows);
    there.remove(3);
    memory().put("marked", schema, there);
    Copying copying =
        Copying.of(connector(), table, memory(), memory().endpoint("marked"))
            .landing(new WriteOptions(Mode.MERGE, false, List.of("id"), false))
            .incremental(new Increment("at", overlap, null));
    assertThat(rowsRead(copying.run())).isEqualTo(3);
    RowCheck.sameRows(schema, rows, memory().rows("marked"));
  }

  /// Rows that have no update key come with the first copy alone, and so does nothing that changes
  /// once a key lies ahead of the clock.
  @ParameterizedTest
  @EnumSource
  default void whatLaterCopiesLeaveOutIsReported(UpdateKey kind) {
    Schema schema = keyed(kind);
    String name = kind.name().toLowerCase(Locale.ROOT);
    List<Row> rows =
        new ArrayList<>(List.of(Row.of(1, kind.step), Row.of(2, null), Row.of(3, null)));
    Endpoint first = table("left_out_" + name);
    write(schema, rows, first);
    memory().put("marked", schema, List.of());
    Ran ran = newRows(first).run();
    RowCheck.sameRows(schema, rows, memory().rows("marked"));
    assertThat(notes(ran))
        .contains("2 rows have no at: copied now, and not again, whatever changes");
    assertThat(ran.warnings()).isEmpty();

    rows.addAll(List.of(Row.of(4, null), Row.of(5, LATER_DAYS * kind.inADay())));
    Endpoint second = table("left_out_then_" + name);
    write(schema, rows, second);
    ran = newRows(second).run();
    assertThat(rowsRead(ran)).isEqualTo(1);
    assertThat(notes(ran)).contains("3 rows have no at and can't be told to be new: not copied");
    if (kind.isMoment()) {
      assertThat(ran.warnings())
          .singleElement(STRING)
          .contains("ahead of the clock")
          .containsIgnoringCase("The greatest at is " + LATER);
    } else {
      assertThat(ran.warnings()).isEmpty();
    }
  }

  /// Whatever case the system's names have.
  private static List<String> notes(Ran run) {
    return run.plan().notes().stream().map(note -> note.replace(" AT", " at")).toList();
  }

  private static long rowsRead(Ran run) {
    return run.meter().rows();
  }
}
