package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a copy says of what it makes of a table that is there: whose types a replaced one has.
public interface LandingSuite extends Suite {

  Type NARROW = new Type.Int(32);
  Type WIDE = new Type.Int(64);

  @Test
  default void aMergeCountsWhatItMadeOfTheRowsByTheirKeys() {
    Endpoint table = table("merge_counts");
    write(ITEMS, List.of(Row.of(1, "a", 1), Row.of(2, null, 2), Row.of(3, "c", null)), table);
    List<Row> rows =
        List.of(
            Row.of(1, "a", 1),
            Row.of(2, "now", 2),
            Row.of(2, null, 2),
            Row.of(3, "c", 7),
            Row.of(4, "d", 4),
            Row.of(5, null, null),
            Row.of(5, "e", 5));
    Copying copying = into(ITEMS, rows, table).mode(Mode.MERGE);
    if (can(Behaviour.MERGE) && can(Behaviour.MERGE_WHOLE)) {
      assertThat(copying.run().merged()).isEqualTo(new MergeCounts(2, 1, 2, 2));
      assertThat(copying.run().merged()).isEqualTo(new MergeCounts(0, 0, 5, 2));
      assertThat(into(ITEMS, rows, table("merge_counts_new")).mode(Mode.MERGE).run().merged())
          .isEqualTo(new MergeCounts(5, 0, 0, 2));
    }
  }

  @Test
  default void aMergeByNamedColumnsCountsTheirKeysToo() {
    Endpoint table = table("merge_counts_by_name");
    Schema noKey = Schema.of(ITEMS.columns());
    write(noKey, List.of(Row.of(1, "a", 1), Row.of(1, "a", 1), Row.of(2, "b", 2)), table);
    List<Row> rows = List.of(Row.of(1, "a", 1), Row.of(20, "b", 2), Row.of(3, "c", 3));
    Copying copying =
        into(noKey, rows, table)
            .landing(new WriteOptions(Mode.MERGE, false, List.of("name"), false));
    if (can(Behaviour.MERGE) && can(Behaviour.MERGE_BY_ANY_COLUMNS)) {
      assertThat(copying.run().merged()).isEqualTo(new MergeCounts(1, 1, 1, 0));
    }
  }

  private static Schema numbers(Type type) {
    return Schema.of(List.of(Column.of("n", type), Column.of("t", Type.Text.UNLIMITED)));
  }

  /// Replaces a table of small numbers by one of large numbers.
  ///
  /// @return what the plan tells the user
  private List<String> replace(
      Endpoint table, boolean guesses, WriteOptions.@Nullable Types types) {
    write(numbers(NARROW), List.of(Row.of(1, "old")), table);
    memory().put("rows", keyed(numbers(WIDE)), List.of(Row.of(2, "new")));
    Endpoint rows =
        memory().endpoint("rows", guesses ? Map.of(MemoryConnector.GUESSES, "true") : Map.of());
    Copying copying =
        Copying.of(memory(), rows, connector(), table)
            .landing(new WriteOptions(Mode.REPLACE, false, List.of(), false, types));
    List<String> notes = copying.plan().notes();
    copying.run();
    return notes;
  }

  private void checkReplaced(Endpoint table, Type type) {
    try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
      Type found =
          source.describe(new ColumnRequest.Typed()).description().schema().column(0).type();
      assertThat(found).isEqualTo(heldAs(type));
    }
    assertThat(read(numbers(type), table)).containsExactly(Row.of(2, "new"));
  }

  @ParameterizedTest
  @CsvSource({"true,", "true, TARGET", "false, TARGET"})
  default void aReplacedTableKeepsItsTypesIfTheSourceGuessesOrTheyAreAskedFor(
      boolean guesses, WriteOptions.@Nullable Types types) {
    Endpoint table = table("replaced_types");
    List<String> notes = replace(table, guesses, types);
    boolean keeps = can(Behaviour.EXISTING_COLUMNS);
    checkReplaced(table, keeps ? NARROW : WIDE);
    assertThat(notes.stream().anyMatch(note -> note.contains("--types source"))).isEqualTo(keeps);
  }

  @ParameterizedTest
  @CsvSource({"false,", "false, SOURCE", "true, SOURCE"})
  default void aReplacedTableHasTheSourcesTypesIfTheyAreDeclaredOrAskedFor(
      boolean guesses, WriteOptions.@Nullable Types types) {
    Endpoint table = table("replaced_types");
    replace(table, guesses, types);
    checkReplaced(table, WIDE);
  }
}
