package millrace.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Records;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Location;

/// Batches for tests, written as text: a row is its values with `|` between them, `NULL` for none.
public final class Rows {

  private Rows() {}

  public static Schema schema(List<String> names, List<Type> types) {
    return Schema.of(
        IntStream.range(0, names.size())
            .mapToObj(i -> Column.of(names.get(i), types.get(i)))
            .toList());
  }

  /// A batch of the file `rows.csv` that begins at its row 101.
  public static Columns of(List<String> names, List<Type> types, List<String> rows) {
    Columns batch = Columns.standalone(schema(names, types), Math.max(1, rows.size()));
    for (int row = 0; row < rows.size(); row++) {
      String[] fields = rows.get(row).split("\\|", -1);
      for (int i = 0; i < fields.length; i++) {
        set(batch, i, row, fields[i]);
      }
    }
    batch.filled(rows.size(), 0, new Location("rows.csv", 0, 101, 102, 1000), null);
    return batch;
  }

  private static void set(Columns batch, int column, int row, String field) {
    Type type = batch.schema().column(column).type();
    batch.vector(column).nulls[row] = field.equals("NULL");
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    boolean read =
        field.equals("NULL")
            || Spelling.parser(type, SpellingStyle.ISO)
                .parse(bytes, 0, bytes.length, batch.vector(column), row);
    if (!read) {
      throw new IllegalArgumentException(field + " is no " + type.label());
    }
  }

  /// The same batch, as if parsed from records `record 0`, `record 1` and so on, one a line.
  public static Columns withOrigin(Columns batch) {
    int rows = batch.rows();
    byte[] bytes =
        IntStream.range(0, rows)
            .mapToObj(row -> "record " + row + "\n")
            .collect(Collectors.joining())
            .getBytes(StandardCharsets.UTF_8);
    int[] starts = IntStream.range(0, rows).map(row -> row * 9).toArray();
    int[] ends = IntStream.range(0, rows).map(row -> row * 9 + 9).toArray();
    batch.filled(
        rows,
        bytes.length,
        batch.location(),
        new Records(bytes, starts, ends, (from, to) -> (to - from) / 9));
    return batch;
  }

  public static String record(Columns batch, int row) {
    byte[] record = Objects.requireNonNull(batch.origin()).record(row);
    return new String(record, StandardCharsets.UTF_8);
  }

  /// The rows as they are written here.
  public static List<String> texts(Columns batch) {
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < batch.rows(); row++) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < batch.schema().width(); i++) {
        fields.add(batch.vector(i).nulls[row] ? "NULL" : Spelling.text(batch, i, row));
      }
      rows.add(String.join("|", fields));
    }
    return rows;
  }
}
