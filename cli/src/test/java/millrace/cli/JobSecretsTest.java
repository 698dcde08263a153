package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A job file takes secrets from the environment: `${TOKEN}` is printed and kept in the place of
/// each, wherever it stands, and whoever repeats it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JobSecretsTest {

  private static final String MARK = "unguessable";
  private static final String TOKEN = "a<b&" + MARK + " 7\\z";

  /// Too short to be looked for in what others say.
  private static final String PIN = "7§";

  private PostgresServer server;
  private String database;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
  }

  @BeforeEach
  void makeTables() throws IOException {
    database = server.newDatabase();
    server.execute(database, "CREATE TABLE orders (id int, note text)");
    Files.writeString(home.resolve("orders.csv"), "id,note\n1,one\n2,two\n");
    Files.writeString(
        home.resolve("job.yaml"),
        """
        target: DB
        env:
          OWN: key ${TOKEN}
          DAY: 2026-01-02
        hooks:
          start:
            - query: SELECT '${TOKEN}', '{OWN}', '{DAY}', '${PIN}'
            - query: SELECT * FROM "nowhere ${TOKEN}"
              on_failure: warn
            - query: SELECT '${TOKEN}'::int
              on_failure: warn
            - command: [sh, -c, 'echo "$SAID"; echo a line', '${TOKEN}', '${PIN}']
              env: {SAID: 'it is ${TOKEN}'}
            - command: 'echo "$SAID" >&2; : ${PIN}; exit 3'
              shell: true
              on_failure: warn
              env: {SAID: '{OWN}'}
          end:
            - query: INSERT INTO nowhere SELECT '${TOKEN}'
        streams:
          file://%1$s/orders.csv:
            object: orders
            mode: append
          file://%1$s/./orders.csv:
            object: orders_2
            where: note <> '${TOKEN}' AND "${FAULT}" = 1
            mode: create
        """
            .formatted(home));
  }

  private Cli cli() {
    return new Cli(home)
        .with("MILLRACE_DB", server.url(database))
        .with("TOKEN", TOKEN)
        .with("PIN", PIN)
        .with("FAULT", "no " + MARK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--json", "--debug", "--dry-run", "--json --dry-run"})
  void theSpellingIsPrintedAndKeptInThePlaceOfTheValue(String options) throws IOException {
    List<String> words =
        Stream.concat(
                Stream.of(
                    "run",
                    home.resolve("job.yaml").toString(),
                    "--log=" + home.resolve("night.log"),
                    "--junit=" + home.resolve("night.xml")),
                Stream.of(options.split(" ")).filter(word -> !word.isEmpty()))
            .toList();
    Cli.Result result = cli().run(words.toArray(String[]::new));
    String all = result.out() + result.err();
    assertThat(all).contains("${TOKEN}").doesNotContain(MARK, PIN);
    if (options.equals("--dry-run")) {
      assertThat(all).contains("SELECT '${TOKEN}', 'key ${TOKEN}', '2026-01-02', '${PIN}'");
    }
    assertThat(written().filter(file -> text(file).contains(MARK))).isEmpty();
    if (!options.contains("--dry-run")) {
      assertThat(all).contains("it is ${TOKEN}");
      assertThat(text(home.resolve("night.log"))).contains("it is ${TOKEN}", "nowhere ${TOKEN}");
      assertThat(text(home.resolve("night.xml"))).contains("${FAULT}");
      assertThat(cli().run("runs", "last").out()).doesNotContain(MARK);
    }
  }

  @Test
  void whatTheCommandLineSetsForItIsHiddenToo() throws IOException {
    Path job =
        Files.writeString(
            home.resolve("set.yaml"),
            """
            hooks:
              start:
                - command: [echo, '${KEY}', '{DAY}']
            streams:
              %s/orders.csv:
                object: %1$s/out.csv
                mode: ${MODE}
            """
                .formatted(home));
    String key = "KEY=" + MARK;
    assertThat(
            cli()
                .run("run", job.toString(), "--set", key, "--set=DAY=2026-01-03", "--set=MODE=new")
                .err())
        .contains("there is no mode 'new'");
    Cli.Result result =
        cli()
            .run(
                "run",
                job.toString(),
                "--dry-run",
                "--set",
                key,
                "--set=DAY=2026-01-03",
                "--set=MODE=replace");
    assertThat(result.out()).contains("echo '${KEY}' 2026-01-03").doesNotContain(MARK);
    assertThat(
            cli().with("MODE", MARK).run("run", job.toString(), "--set", key, "--set=DAY=1").err())
        .contains("there is no mode '${");
  }

  /// A program that failed is quoted, and a server in its own case.
  @ParameterizedTest
  @ValueSource(strings = {"--json", "--quiet"})
  void whatOthersRepeatIsHiddenInLinesForProgramsToo(String option) throws IOException {
    Path job =
        Files.writeString(
            home.resolve("said.yaml"),
            """
            target: DB
            streams:
              file://%1$s/orders.csv:
                object: orders_3
                hooks:
                  pre:
                    - command: [sh, -c, 'echo "it is $SAID"; exit 4']
                      env: {SAID: '${TOKEN}'}
              file://%1$s/./orders.csv:
                object: orders_4
                hooks:
                  pre:
                    - query: SELECT * FROM ${TABLE}
            """
                .formatted(home));
    Cli.Result result =
        cli()
            .with("TABLE", "No" + MARK.toUpperCase(Locale.ROOT))
            .run("run", job.toString(), option, "--log=" + home.resolve("night.log"));
    String all = result.out() + result.err();
    assertThat(all).contains("it is ${TOKEN}", "SELECT * FROM ${TABLE}");
    assertThat(all.toLowerCase(Locale.ROOT)).doesNotContain(MARK);
    assertThat(written().filter(file -> text(file).toLowerCase(Locale.ROOT).contains(MARK)))
        .isEmpty();
  }

  /// The name of a stream may be an end as on the command line.
  @Test
  void aPasswordInTheNameOfAStreamIsNoNameOfACopy() throws IOException {
    Path job =
        Files.writeString(
            home.resolve("named.yaml"),
            """
            streams:
              postgresql://me:${PW}@127.0.0.1:1/db?table=t:
                object: %1$s/out.csv
              postgresql://me:%2$s-too@127.0.0.1:1/db?table=u:
                object: %1$s/out2.csv
            """
                .formatted(home, MARK));
    Cli.Result result =
        cli().with("PW", MARK).run("run", job.toString(), "--junit=" + home.resolve("n.xml"));
    assertThat(result.out() + result.err()).contains("No PostgreSQL").doesNotContain(MARK);
    assertThat(written().filter(file -> !file.equals(job) && text(file).contains(MARK))).isEmpty();
  }

  private Stream<Path> written() throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      return all.filter(Files::isRegularFile).toList().stream();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
