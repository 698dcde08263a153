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
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.stores.s3.S3Stores;
import millrace.spi.store.ObjectStore;
import millrace.testkit.server.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many requests of a store will a copy make?
final class StoreRequestsTest {

  private static final String PROFILES = "aws.sharedCredentialsFile";

  @TempDir private static Path keys;
  private static S3Server server;

  @TempDir private Path home;

  @BeforeAll
  static void start() throws IOException {
    Path file =
        Files.writeString(
            keys.resolve("credentials"),
            """
            [tests]
            aws_access_key_id = %s
            aws_secret_access_key = %s
            """
                .formatted(S3Server.ACCESS_KEY, S3Server.SECRET_KEY));
    System.setProperty(PROFILES, file.toString());
    server = S3Server.start("lake");
    try (ObjectStore store =
        new S3Stores()
            .open(
                "s3",
                "lake",
                Map.of("aws-profile", "tests", "endpoint", server.endpoint().toString()))) {
      byte[] text = rows(40 << 20);
      store.put("long/a.csv", text, null);
      store.put("long/a.csv.gz", gzip(text), null);
      for (int i = 0; i < 12; i++) {
        store.put("small/2026-0" + i % 3 + "/" + i + ".csv", rows(5_000), null);
        store.put("middle/" + i + ".csv", rows(700_000), null);
      }
    }
  }

  @AfterAll
  static void stop() {
    System.clearProperty(PROFILES);
    server.close();
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

  /// By a region of its own each command finds the store as a process of its own does.
  private static String stored(String key, String region) {
    return "s3://lake/%s?aws-profile=tests&region=%s&endpoint=%s"
        .formatted(key, region, server.endpoint());
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
    "long/a.csv, 1, one",
    "long/a.csv, 3, three",
    "long/a.csv.gz, 2, packed",
    "small/2026-*/*.csv, 2, small",
    "middle/, 2, middle",
  })
  void anEstimateForeseesWhatReadingIsPaidFor(String key, String lanes, String name) {
    String out = home.resolve("out.csv").toString();
    assertForeseen(
        copy(stored(key, name + "-before"), out, lanes, "--estimate"),
        copy(stored(key, name + "-after"), out, lanes, "--verbose"),
        List.of("GET"));
  }

  @Test
  void anEstimateForeseesWhatWritingIsPaidFor() throws IOException {
    Path in = Files.write(home.resolve("in.csv"), rows(150 << 20));
    assertForeseen(
        copy(in.toString(), stored("out/a.csv", "put-before"), "2", "--estimate"),
        copy(in.toString(), stored("out/a.csv", "put-after"), "2", "--verbose"),
        List.of("HEAD", "PUT"));
  }

  /// Of one store both ends' requests are told once.
  @Test
  void anEstimateForeseesACopyWithinAStore() {
    assertForeseen(
        copy(stored("long/a.csv", "a"), stored("out/b.csv", "a"), "2", "--estimate"),
        copy(stored("long/a.csv", "b"), stored("out/b.csv", "b"), "2", "--verbose"),
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
