package millrace.connectors.file;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvSyntax;
import millrace.connectors.file.csv.RecordScanner;
import millrace.connectors.file.csv.TextBuffer;
import millrace.connectors.file.csv.Tokenizer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// How many bytes of CSV a nanosecond the tokenizer cuts into fields and the scanner into records,
/// and beside them plain loops that look at one byte after the other.
///
/// In the tokenizer's package, because nobody else should see it.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TokenizerBenchmark {

  /// One block of records; it fits the processor's second cache, as a reader's does.
  private static final int BYTES = 1 << 18;

  private static final int WIDTH = 10;
  private static final int ROWS_MAX = BYTES / 16;

  /// `plain`: no quotes. `quoted`: quotes around text. `escaped`: with a quote in every tenth text.
  /// `long`: ten times as much text, no quotes.
  @Param({"plain", "quoted", "escaped", "long"})
  private String shape = "plain";

  private final CsvSyntax syntax =
      new CsvSyntax(CsvDialect.CSV.as(Newline.LF), StandardCharsets.UTF_8);
  private final Tokenizer tokenizer = Tokenizer.of(syntax, WIDTH, 1 << 20);
  private final TextBuffer textBuffer = new TextBuffer(2 * BYTES);
  private final int[][] starts = new int[WIDTH][ROWS_MAX];
  private final int[][] ends = new int[WIDTH][ROWS_MAX];
  private final int[] recordStarts = new int[ROWS_MAX];
  private final int[] recordEnds = new int[ROWS_MAX];
  private final int[] numbers = new int[ROWS_MAX];
  private final PlainTokenizer plain = new PlainTokenizer(WIDTH, ROWS_MAX, BYTES);

  /// Makes the block, and sees to it that both sides find the same fields and records in it.
  @Setup
  public void fill() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    StringBuilder block = new StringBuilder();
    String row = row(random);
    while (block.length() + row.length() <= BYTES) {
      block.append(row);
      row = row(random);
    }
    // The last field of the last record takes what is left.
    block.insert(block.lastIndexOf(",") + 1, "1".repeat(BYTES - block.length()));
    byte[] bytes = block.toString().getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, textBuffer.bytes, 0, BYTES);
    textBuffer.end = BYTES;
    tokenizer.into(starts, ends, recordStarts, recordEnds, numbers);
    int rows = tokenizer();
    if (rows != plainTokenizer() || rows != scanner() || rows != plainScanner()) {
      throw new IllegalStateException("not the same records");
    }
    for (int column = 0; column < WIDTH; column++) {
      for (int i = 0; i < rows; i++) {
        if (!Arrays.equals(
            textBuffer.bytes,
            starts[column][i],
            ends[column][i],
            plain.bytes(column, i, textBuffer.bytes),
            plain.starts[column][i],
            plain.ends[column][i])) {
          throw new IllegalStateException("not the same fields");
        }
      }
    }
  }

  /// About as the generated shape `unload`: text, numbers, timestamps; the last one a number.
  private String row(RandomGenerator random) {
    int times = shape.equals("long") ? 10 : 1;
    return String.join(
            ",",
            text(random, 4 * times, 12 * times),
            "2024-02-29 12:34:56",
            Long.toString(random.nextLong(1_000_000_000_000L)),
            text(random, 4 * times, 12 * times),
            random.nextInt(10_000_000) + "." + (10 + random.nextInt(90)),
            "1999-12-31 23:59:59",
            text(random, 8, 8),
            text(random, 4 * times, 14 * times),
            text(random, 8 * times, 25 * times),
            Long.toString(1 + random.nextLong(10_000_000_000_000_000L)))
        + "\n";
  }

  private String text(RandomGenerator random, int shortest, int longest) {
    StringBuilder text = new StringBuilder();
    int length = shortest + random.nextInt(longest - shortest + 1);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    if (shape.equals("escaped") && random.nextInt(10) == 0) {
      text.insert(random.nextInt(text.length()), "\"\"");
    }
    boolean bare = shape.equals("plain") || shape.equals("long");
    return bare ? text.toString() : '"' + text.toString() + '"';
  }

  /// Fields of all records, by ours.
  @Benchmark
  @OperationsPerInvocation(BYTES)
  public int tokenizer() {
    textBuffer.tail = textBuffer.end;
    tokenizer.run(textBuffer, 0, true);
    return tokenizer.rows();
  }

  /// The same byte by byte.
  @Benchmark
  @OperationsPerInvocation(BYTES)
  public int plainTokenizer() {
    return plain.run(textBuffer.bytes, BYTES);
  }

  /// Where records end, by ours.
  @Benchmark
  @OperationsPerInvocation(BYTES)
  public long scanner() {
    RecordScanner scanner = RecordScanner.of(syntax, WIDTH);
    int at = 0;
    while (at < BYTES) {
      at = scanner.scan(textBuffer.bytes, at, BYTES, BYTES, true);
    }
    return scanner.records();
  }

  /// The same byte by byte.
  @Benchmark
  @OperationsPerInvocation(BYTES)
  public long plainScanner() {
    return PlainTokenizer.records(textBuffer.bytes, BYTES);
  }
}
