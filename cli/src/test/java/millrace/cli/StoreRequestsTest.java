package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many requests of a store will a copy make?
final class StoreRequestsTest {

  @TempDir private static Path keys;
  private static S3Lake lake;

  @TempDir private Path home;

  @BeforeAll
  static void start() throws IOException {
    lake = new S3Lake(keys);
    byte[] text = rows(40 << 20);
    lake.store.put("long/a.csv", text, null);
    lake.store.put("long/a.csv.gz", gzip(text), null);
    for (int i = 0; i < 12; i++) {
      lake.store.put("small/2026-0" + i % 3 + "/" + i + ".csv", rows(5_000), null);
    }
  }

  @AfterAll
  static void stop() {
    lake.close();
  }

  private static byte[] rows(int bytes) {
    Random random = new Random(bytes);
    StringBuilder rows = new StringBuilder("id,note\n");
    while (rows.length() < bytes) {
      rows.append(random.nextLong()).append(',').append(random.nextLong()).append('\n');
    }
    return rows.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text);
    }
    return packed.toByteArray();
  }

  private Cli.Result copy(String from, String to, String lanes, String option) {
    Cli.Result result = new Cli(home).run("copy", from, to, "--lanes", lanes, option);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private static long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? Long.parseLong(matcher.group(1).replace(",", "")) : 0;
  }

  private static void assertForeseen(Cli.Result estimate, Cli.Result copy, List<String> paid) {
    for (String each : List.of("LIST", "HEAD", "GET", "PUT")) {
      long foreseen = number(estimate.out(), "([0-9,]+) " + each);
      String counter = "store\\." + each.toLowerCase(Locale.ROOT) + " +([0-9,]+)";
      assertThat(foreseen).as(each).isCloseTo(number(copy.err(), counter), withinPercentage(20));
      assertThat(foreseen > 0 || !paid.contains(each)).as(each).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "long/a.csv, 3, three",
    "long/a.csv.gz, 2, packed",
    "small/2026-*/*.csv, 2, small",
  })
  void anEstimateForeseesWhatReadingIsPaidFor(String key, String lanes, String name) {
    String out = home.resolve("out.csv").toString();
    assertForeseen(
        copy(lake.file(key, name + "-before"), out, lanes, "--estimate"),
        copy(lake.file(key, name + "-after"), out, lanes, "--verbose"),
        List.of("GET"));
  }

  @Test
  void anEstimateForeseesWhatWritingIsPaidFor() throws IOException {
    Path in = Files.write(home.resolve("in.csv"), rows(150 << 20));
    assertForeseen(
        copy(in.toString(), lake.file("out/a.csv", "put-before"), "2", "--estimate"),
        copy(in.toString(), lake.file("out/a.csv", "put-after"), "2", "--verbose"),
        List.of("HEAD", "PUT"));
  }

  /// Of one store both ends' requests are told once.
  @Test
  void anEstimateForeseesACopyWithinAStore() {
    assertForeseen(
        copy(lake.file("long/a.csv", "a"), lake.file("out/b.csv", "a"), "2", "--estimate"),
        copy(lake.file("long/a.csv", "b"), lake.file("out/b.csv", "b"), "2", "--verbose"),
        List.of("GET", "PUT"));
  }

  @Test
  void filesOfThisMachineTakeNone() throws IOException {
    Path in = Files.write(home.resolve("in.csv"), rows(100_000));
    String out = home.resolve("out.csv").toString();
    assertThat(new Cli(home).run("copy", in.toString(), out, "--estimate").out())
        .doesNotContain("requests");
  }
}
