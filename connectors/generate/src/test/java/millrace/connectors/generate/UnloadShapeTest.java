package millrace.connectors.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.LocalDateTime;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import millrace.data.Columns;
import millrace.data.Type;
import millrace.spi.read.Source;
import org.junit.jupiter.api.Test;

class UnloadShapeTest {

  private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);
  private static final int ROWS = 50_000;

  @Test
  void itsRecordIsThatOfFieldReportBWithAMeanOf165Bytes() {
    AtomicLong bytes = new AtomicLong();
    each(batch -> batch.forEach(row -> bytes.addAndGet(recordBytes(batch.columns, row))));
    assertThat(bytes.get() / (double) ROWS).isCloseTo(165, within(0.5));
  }

  @Test
  void branchIsPaddedWithBlanksToEightCharactersAsACharColumnIs() {
    AtomicInteger padded = new AtomicInteger();
    each(batch ->
        batch.forEach(row -> {
          String branch = batch.columns.bytes(6).text(row);
          assertThat(branch).hasSize(8).matches("[0-9A-Za-z]+ *");
          padded.addAndGet(branch.endsWith(" ") ? 1 : 0);
        }));
    assertThat(padded.get()).isBetween(ROWS / 2, ROWS - 1);
  }

  @Test
  void datesAreWholeSecondsUpToTheYear3844() {
    AtomicInteger latest = new AtomicInteger();
    each(batch ->
        batch.forEach(row -> {
          long micros = batch.columns.longs(1).values[row];
          assertThat(micros % 1_000_000).isZero();
          int year = EPOCH.plusSeconds(micros / 1_000_000).getYear();
          latest.accumulateAndGet(year, Math::max);
        }));
    assertThat(latest.get()).isEqualTo(3844);
  }

  @Test
  void textsUseEveryLetterAndDigit() {
    java.util.Set<Integer> seen = new java.util.TreeSet<>();
    each(
        batch -> batch.forEach(row -> batch.columns.bytes(9).text(row).chars().forEach(seen::add)));
    assertThat(seen).hasSize(62).allMatch(Character::isLetterOrDigit);
  }

  /// The record of the report: ten digits of length, `~~` around texts and dates, a comma after
  /// every field, CR LF.
  private static int recordBytes(Columns batch, int row) {
    StringBuilder record = new StringBuilder();
    for (int column = 0; column < batch.schema().width(); column++) {
      switch (batch.schema().column(column).type()) {
        case Type.Text _ -> record.append("~~").append(batch.bytes(column).text(row)).append("~~,");
        case Type.Timestamp _ -> record.append("~~yyyymmddhhmmss~~,");
        case Type.Decimal _ ->
            record
                .append(java.math.BigDecimal.valueOf(batch.longs(column).values[row], 2))
                .append(',');
        case Type.Int _ -> record.append(batch.longs(column).values[row]).append(',');
        case Type.Bool _,
            Type.Float _,
            Type.Date _,
            Type.Time _,
            Type.Uuid _,
            Type.Json _,
            Type.Bytes _,
            Type.Opaque _ ->
            throw new AssertionError(batch.schema().column(column));
      }
    }
    return 10 + record.append("\r\n").length();
  }

  private record Rows(Columns columns) {
    void forEach(java.util.function.IntConsumer each) {
      for (int row = 0; row < columns.rows(); row++) {
        each.accept(row);
      }
    }
  }

  private static void each(java.util.function.Consumer<Rows> each) {
    try (Source source = Made.source("unload", Map.of("rows", String.valueOf(ROWS)))) {
      Made.read(source, Made.splits(source, 1 << 20), columns -> each.accept(new Rows(columns)));
    }
  }
}
