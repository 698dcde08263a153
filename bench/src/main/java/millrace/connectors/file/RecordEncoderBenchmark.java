package millrace.connectors.file;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import millrace.bench.SampleRows;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.RecordEncoder;
import millrace.connectors.file.output.Page;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.LongVector;
import millrace.data.Schema;
import millrace.data.Type;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What a row costs to write as CSV, from typed columns: ours, and beside it a {@link
/// StringBuilder} that the JDK spells each value into.
///
/// In the encoder's package, because nobody else should see it.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordEncoderBenchmark {

  private static final int ROWS = 1024;

  private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  /// What a row is: one column, or `row` for the ten of about the generated shape `unload`.
  @Param({"int8", "numeric", "timestamp", "text", "row"})
  private String shape = "row";

  private final Page page = new Page(ROWS * 512);
  private Columns batch = Columns.standalone(Schema.of(List.of()), 0);
  private RecordEncoder encoder = new RecordEncoder(CsvDialect.CSV, batch.schema());

  /// Makes the rows, and sees to it that both sides make the same bytes of them.
  @Setup
  public void fill() {
    batch = SampleRows.of(shape, ROWS);
    encoder = new RecordEncoder(CsvDialect.CSV.as(Newline.LF), batch.schema());
    int used = millrace();
    if (!Arrays.equals(Arrays.copyOf(page.bytes, used), plain())) {
      throw new IllegalStateException("not the same bytes");
    }
  }

  /// Our encoder.
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int millrace() {
    page.length = 0;
    for (int row = 0; row < ROWS; row++) {
      if (encoder.append(page, batch, row) != null) {
        throw new IllegalStateException("refused");
      }
    }
    return page.length;
  }

  /// The plain one.
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public byte[] plain() {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < ROWS; row++) {
      for (int column = 0; column < batch.schema().width(); column++) {
        if (column > 0) {
          text.append(',');
        }
        append(text, column, row);
      }
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void append(StringBuilder out, int column, int row) {
    switch (batch.vector(column)) {
      case BytesVector texts -> {
        String text = texts.text(row);
        boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        out.append(quoted ? '"' + text.replace("\"", "\"\"") + '"' : text);
      }
      case LongVector longs -> {
        long value = longs.values[row];
        switch (batch.schema().column(column).type()) {
          case Type.Decimal decimal -> out.append(BigDecimal.valueOf(value, decimal.scale()));
          case Type.Timestamp _ -> MOMENT.formatTo(EPOCH.plus(value, ChronoUnit.MICROS), out);
          default -> out.append(value);
        }
      }
      default -> throw new IllegalStateException("no such column");
    }
  }
}
