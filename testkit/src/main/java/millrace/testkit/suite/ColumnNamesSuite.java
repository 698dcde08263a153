package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.ColumnAdder;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Names of columns come back as they were, whatever is in them, or are refused.
public interface ColumnNamesSuite extends Suite {

  @Test
  default void columnNamesAreKeptWhateverIsInThem() {
    List<Column> columns = new ArrayList<>();
    for (String name :
        List.of(
            "a b",
            "quote\"d",
            "it's",
            "semi;colon",
            "comma,name",
            "UPPER",
            "upper",
            "select",
            "dot.ted",
            "back\\slash",
            "水車",
            "é",
            "100%",
            "$1",
            "?",
            "{x}",
            ":name",
            "-- no")) {
      boolean hasCase = can(Behaviour.CASE_IN_NAMES) || !name.equals("upper");
      if (hasCase && (can(Behaviour.QUOTES_IN_NAMES) || name.indexOf('"') < 0)) {
        columns.add(Column.of(name, new Type.Int(32)));
      }
    }
    Schema schema = Schema.of(columns);
    List<Row> rows =
        List.of(Row.of(columns.stream().map(c -> (Object) (long) c.name().length()).toArray()));
    Endpoint table = table("names");
    write(schema, rows, table);
    try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().schema().names())
          .isEqualTo(schema.names().stream().map(this::kept).toList());
    }
    comesBack(schema, rows, "names");
  }

  /// Rows that a table holds have nothing in columns that it gets.
  @Test
  default void aTableMayGetColumnsThatTakeNulls() {
    Endpoint table = table("given_columns");
    write(ITEMS, items(0, 10), table);
    List<Column> added =
        List.of(Column.of("added text", Type.Text.UNLIMITED), Column.of("added", new Type.Int(32)));
    WriteOptions adds = new WriteOptions(Mode.APPEND, false, List.of(), false);
    try (Target target = connector().target(table, adds, new OpenContext())) {
      ColumnAdder adder = target.capability(ColumnAdder.class);
      needs(adder != null, "tables that get more columns");
      target.describe();
      Objects.requireNonNull(adder).addColumns(added);
      assertThat(
              target.describe().description().columns().subList(ITEMS.width(), ITEMS.width() + 2))
          .allMatch(TargetColumn::nullable);
    }
    List<Column> columns = new ArrayList<>(ITEMS.columns());
    columns.addAll(added);
    Schema wide = Schema.of(columns);
    List<Row> rows = new ArrayList<>();
    items(50, 5).forEach(item -> rows.add(with(item, "x", 7L)));
    into(wide, rows, table).mode(Mode.APPEND).run();
    List<Row> all = new ArrayList<>();
    items(0, 10).forEach(item -> all.add(with(item, null, null)));
    all.addAll(rows);
    RowCheck.sameRows(new Schema(columns, ITEMS.key()), all, read(wide, table));
  }

  private static Row with(Row row, @Nullable Object one, @Nullable Object other) {
    List<@Nullable Object> values = new ArrayList<>(row.values());
    values.add(one);
    values.add(other);
    return new Row(values);
  }

  @Test
  default void aNameWithADoubleQuoteIsKeptOrRefused() {
    Schema schema = Schema.of(List.of(Column.of("in \"quotes\"", new Type.Int(32))));
    Endpoint table = table("names_in_quotes");
    if (can(Behaviour.QUOTES_IN_NAMES)) {
      needs(Behaviour.KEYLESS);
      writtenComesBack(schema, List.of(Row.of(1)), "names_in_quotes");
    } else {
      assertThatThrownBy(() -> write(schema, List.of(Row.of(1)), table))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("in \"quotes\"");
      assertAbsent(table);
    }
  }

  @Test
  default void namesThatDifferInCaseAloneAreKeptOrRefused() {
    Schema schema =
        Schema.of(
            List.of(Column.of("upper", new Type.Int(32)), Column.of("UPPER", new Type.Int(32))));
    Endpoint table = table("names_in_two_cases");
    if (can(Behaviour.CASE_IN_NAMES)) {
      writtenComesBack(schema, List.of(Row.of(1, 2)), "names_in_two_cases");
    } else {
      assertThatThrownBy(() -> write(schema, List.of(Row.of(1, 2)), table))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("UPPER");
      assertAbsent(table);
    }
  }
}
