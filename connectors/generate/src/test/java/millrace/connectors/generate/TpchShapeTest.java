package millrace.connectors.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.trino.tpch.TpchEntity;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TpchShapeTest {

  static Stream<String> tables() {
    return TpchTables.all().stream().map(TpchTable::name);
  }

  /// The generator's own text of a row is what every value has to agree with.
  @ParameterizedTest
  @MethodSource("tables")
  void everyRowIsTheBenchmarksOwn(String table) {
    List<String> expected = new ArrayList<>();
    for (TpchEntity entity : io.trino.tpch.TpchTable.getTable(table).createGenerator(0.01, 1, 1)) {
      expected.add(entity.toLine());
    }
    assertThat(lines(table, "0.01", Long.MAX_VALUE)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"lineitem,0.02", "orders,0.05", "partsupp,0.1", "customer,0.5", "part,0.5"})
  void partsMadeOneByOneGiveTheWholeTable(String table, String scale) {
    try (Source source = Made.source("tpch." + table, Map.of("scale", scale))) {
      List<Split> splits = Made.splits(source, 1);
      assertThat(splits).hasSizeGreaterThan(1);
      List<String> backwards = new ArrayList<>();
      for (Split split : splits.reversed()) {
        backwards.addAll(0, Made.rows(source, List.of(split)));
      }
      List<String> whole = new ArrayList<>();
      try (Source other = Made.source("tpch." + table, Map.of("scale", scale))) {
        whole.addAll(Made.rows(other, Long.MAX_VALUE));
      }
      assertThat(backwards).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void keysAreUniqueAndTextsFitTheirColumns(String table) {
    HashSet<List<Long>> keys = new HashSet<>();
    AtomicLong rows = new AtomicLong();
    try (Source source = Made.source("tpch." + table, Map.of("scale", "0.01"))) {
      Schema schema = source.describe(new ColumnRequest.Typed()).description().schema();
      Made.read(
          source,
          Made.splits(source, Long.MAX_VALUE),
          batch -> {
            for (int row = 0; row < batch.rows(); row++) {
              List<Long> key = new ArrayList<>();
              for (String name : schema.key()) {
                key.add(batch.longs(schema.indexOf(name)).values[row]);
              }
              keys.add(key);
            }
            rows.addAndGet(batch.rows());
            checkLengths(batch);
          });
    }
    assertThat(keys).hasSize((int) rows.get());
  }

  private static void checkLengths(Columns batch) {
    for (Column column : batch.schema().columns()) {
      if (column.type() instanceof Type.Text(int lengthMax, _)) {
        int index = batch.schema().indexOf(column.name());
        for (int row = 0; row < batch.rows(); row++) {
          assertThat(batch.bytes(index).text(row)).hasSizeBetween(1, lengthMax);
        }
      }
    }
  }

  private static List<String> lines(String table, String scale, long splitBytes) {
    List<String> lines = new ArrayList<>();
    try (Source source = Made.source("tpch." + table, Map.of("scale", scale))) {
      Made.read(
          source,
          Made.splits(source, splitBytes),
          batch -> {
            for (int row = 0; row < batch.rows(); row++) {
              lines.add(line(batch, row));
            }
          });
    }
    return lines;
  }

  /// The row as the benchmark's generator writes it to a file.
  private static String line(Columns batch, int row) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < batch.schema().width(); column++) {
      line.append(value(batch, column, row)).append('|');
    }
    return line.toString();
  }

  private static String value(Columns batch, int column, int row) {
    String name = batch.schema().column(column).name();
    return switch (batch.schema().column(column).type()) {
      case Type.Text _ -> batch.bytes(column).text(row);
      case Type.Int _ -> Long.toString(batch.longs(column).values[row]);
      case Type.Date _ ->
          LocalDate.ofEpochDay(batch.longs(column).values[row] + Temporals.EPOCH_DAYS).toString();
      case Type.Decimal _ when name.equals("l_quantity") ->
          Long.toString(batch.longs(column).values[row] / 100);
      case Type.Decimal _ -> BigDecimal.valueOf(batch.longs(column).values[row], 2).toString();
      case Type.Bool _,
          Type.Float _,
          Type.Time _,
          Type.Timestamp _,
          Type.Uuid _,
          Type.Json _,
          Type.Bytes _,
          Type.Opaque _ ->
          throw new AssertionError(name);
    };
  }
}
