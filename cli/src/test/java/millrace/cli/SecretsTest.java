package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// However a password was given, and whatever is done and goes wrong: it is in nothing that is
/// printed, and in no file that is written.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SecretsTest {

  /// Stands in the right password and in the wrong ones, spelled the same in a URL.
  private static final String MARK = "unguessable";

  private static final String PASSWORD = "Qx7/" + MARK + "@Zk 9";
  private static final String IN_URL = "Qx7%2F" + MARK + "%40Zk%209";
  private static final String WRONG = "no-" + MARK + "-one";
  private static final String USER = "keeps_a_secret";

  private PostgresServer server;
  private String database;

  @TempDir private Path home;

  @BeforeAll
  void makeUser() {
    server = PostgresServer.embedded();
    server.execute(
        "postgres",
        "CREATE ROLE "
            + USER
            + " LOGIN SUPERUSER PASSWORD '"
            + PASSWORD
            + "' IN ROLE "
            + PostgresServer.PASSWORD_ROLE);
    database = server.newDatabase();
    server.execute(
        database,
        "CREATE TABLE orders (id int PRIMARY KEY, note text)",
        "INSERT INTO orders SELECT i, 'note ' || i FROM generate_series(1, 100) i",
        "CREATE TABLE others AS SELECT id, note || '!' AS note FROM orders");
  }

  private String url(String userAndPassword, int port) {
    return "postgresql://%s@%s:%d/%s".formatted(userAndPassword, server.host(), port, database);
  }

  private String url(String userAndPassword) {
    return url(userAndPassword, server.port());
  }

  /// The same table, with a right or a wrong password from everywhere that one can come from.
  private Map<String, Boolean> ends() {
    Map<String, Boolean> ends = new LinkedHashMap<>();
    ends.put(url(USER + ":" + IN_URL) + "?table=orders", true);
    ends.put(url(USER) + "?table=orders&password=" + IN_URL, true);
    ends.put("ours:orders", true);
    ends.put("filed:orders", true);
    ends.put(url(USER) + "?table=orders", true);
    ends.put(url(USER + ":" + WRONG) + "?table=orders", false);
    ends.put(url(USER) + "?table=orders&password=" + WRONG, false);
    ends.put("theirs:orders", false);
    ends.put(url(USER + ":" + IN_URL, 1) + "?table=orders", false);
    ends.put("gone:orders", false);
    return ends;
  }

  private Map<String, String> environment() throws IOException {
    Files.createDirectories(home.resolve(".config/millrace"));
    Files.writeString(
        home.resolve(".config/millrace/connections.yaml"),
        """
        connections:
          FILED:
            type: postgresql
            host: %s
            port: %d
            user: %s
            password: '%s'
            database: %s
          BROKEN: [%s]
        """
            .formatted(server.host(), server.port(), USER, PASSWORD, database, PASSWORD));
    return Map.of(
        "HOME",
        home.toString(),
        "PGPASSWORD",
        PASSWORD,
        "MILLRACE_OURS",
        url(USER + ":" + IN_URL),
        "MILLRACE_THEIRS",
        url(USER + ":" + WRONG),
        "MILLRACE_GONE",
        url(USER + ":" + IN_URL, 1),
        "MILLRACE_ODD",
        "postgresql:/" + USER + ":" + IN_URL + "@" + server.host() + "/" + database);
  }

  private static List<String> words(String... words) {
    return List.of(words);
  }

  /// What works where the end does.
  private List<List<String>> uses(String end) {
    String csv = home.resolve("orders.csv").toString();
    String other = end.replace("orders", "others");
    return List.of(
        words("copy", end, "null:", "--debug"),
        words("copy", end, "null:", "--json", "--retry-for", "0"),
        words("copy", end, "null:", "--dry-run", "--debug"),
        words("copy", end, "null:", "--jfr=" + home.resolve("one.jfr")),
        words("copy", end, csv, "--mode", "replace", "--debug"),
        words("copy", home.resolve("fine.csv").toString(), end, "--mode", "truncate"),
        words("preview", end, "--to", end, "--debug"),
        words("verify", end, end, "--debug"),
        words("verify", end, other, "--key", "id"));
  }

  /// What a user gets wrong.
  private List<List<String>> mistakes(String end) {
    String bad = home.resolve("bad.csv").toString();
    return List.of(
        words("copy", end, end, "--debug"),
        words("copy", end),
        words("copy", end, "null:", end),
        words("copy", "--nonsense", end, "null:"),
        words("copy", end, "null:", "--lanes", end),
        words("copy", end, "null:", "--limit=" + end),
        words("copy", end, "null:", "--rejects", end, "--max-rejects", "1", "--debug"),
        words("copy", end, "null:", "--where", "nonsense > 1", "--debug"),
        words("copy", end, "null:", "--select", "nonsense", "--json"),
        words("copy", end, "null:", "--freeze", "--debug"),
        words("copy", end.replace("orders", "nonsense"), "null:", "--debug"),
        words("copy", end + (end.contains("?") ? "&" : "?") + "nonsense=1", "null:", "--debug"),
        words("copy", bad, end, "--mode", "append", "--debug"),
        words(
            "copy",
            bad,
            end,
            "--mode=append",
            "--max-rejects=2",
            "--rejects=" + home.resolve("set-aside.csv"),
            "--debug"),
        words("preview", end, "--nonsense"),
        words("verify", end, "--debug"),
        words(end, "null:"),
        words("runs", end));
  }

  /// URLs that a slip of the finger made into something else, and other places for a password.
  private List<List<String>> slips() {
    List<List<String>> commands = new ArrayList<>();
    String rest = USER + ":" + IN_URL + "@" + server.host() + "/" + database + "?table=orders";
    for (String start :
        List.of(
            "postgresql:/",
            "postgresql:",
            "postgresql//",
            "postgresql:///",
            "postgresq1://",
            "jdbc:postgresql://",
            "//",
            "/",
            "",
            "null://",
            "generate:",
            "generate://",
            "duckdb://",
            "duckdb:",
            "file://",
            "file:///",
            "https://")) {
      commands.add(words("copy", start + rest, "null:", "--debug"));
      commands.add(words("copy", "generate:tokens?rows=1", start + rest, "--debug"));
      commands.add(words("copy", "null:", "null:", start + rest));
      commands.add(words("preview", start + rest, "--json"));
    }
    String quoted = "'" + PASSWORD + "'";
    for (String foreign :
        List.of(
            "host=h password=" + WRONG + " user=me",
            "host = h dbname=d user = me password = " + quoted,
            "password=" + quoted + " host=h",
            "user=me password=" + quoted + " dbname=d port=5432",
            "host=h password='" + PASSWORD,
            "host=h password=" + PASSWORD,
            "HOST=h PASSWORD=" + quoted,
            "host=h dbname=postgresql://me:" + IN_URL + "@h/d",
            "host=h user=me sslpassword=" + WRONG,
            "jdbc:postgresql://h/d?user=me&password=" + IN_URL,
            "jdbc:postgresql://me:" + IN_URL + "@h/d",
            "JDBC:postgresql://h/d?password=" + IN_URL + "&user=me",
            "jdbc:duckdb:d.db?password=" + IN_URL,
            "jdbc:mysql://h/d?user=me&password=" + IN_URL,
            "jdbc:sqlserver://h;user=me;password=" + WRONG + ";",
            "jdbc:oracle:thin:me/" + WRONG + "@//h:1521/d")) {
      commands.add(words("copy", foreign, "null:", "--debug"));
      commands.add(words("copy", "generate:tokens?rows=1", foreign, "--json"));
      commands.add(words("copy", "null:", "null:", foreign));
      commands.add(words("copy", "null:", "--nonsense", foreign));
      commands.add(words("preview", foreign, "--debug"));
      commands.add(words("verify", foreign, foreign));
      commands.add(words("sweep", foreign, "null:", "--vary=lanes=1,2"));
    }
    commands.add(words("copy", "ours:orders", "null:", "--password=" + PASSWORD));
    commands.add(words("copy", "ours:orders", "null:", "password=" + PASSWORD));
    commands.add(words("copy", "odd:orders", "null:", "--debug"));
    commands.add(words("copy", "broken:orders", "null:", "--debug"));
    return commands;
  }

  @Test
  void noPasswordIsPrintedOrWrittenWhateverIsDoneAndGoesWrong()
      throws IOException, InterruptedException {
    Files.writeString(home.resolve("fine.csv"), "id,note\n1,one\n2,two\n");
    Files.writeString(home.resolve("bad.csv"), "id,note\nx,one\n1,two\n777,three\n");
    List<List<String>> commands = new ArrayList<>();
    ends().keySet().forEach(end -> commands.addAll(uses(end)));
    ends().keySet().forEach(end -> commands.addAll(mistakes(end)));
    commands.addAll(slips());
    Path recording = home.resolve("other.jfr");
    commands.add(
        words("copy", "ours:orders", "ours?table=made", "--ceilings", "--jfr=" + recording));
    commands.add(
        words("sweep", "ours:orders", "ours?table=made", "--vary=lanes=1,2", "--mode=append"));
    commands.add(words("compare", "last", "--json"));
    commands.add(words("compare", "last/lanes=1", "last/lanes=2"));
    // A server that does not answer is told at once, and need not be waited for.
    commands.replaceAll(command ->
        List.of("copy", "sweep", "verify").contains(command.getFirst())
                && !command.contains("--retry-for")
            ? Stream.concat(command.stream(), Stream.of("--retry-for", "0")).toList()
            : command);
    commands.add(words("runs"));
    commands.add(words("runs", "last"));
    commands.add(words("runs", "last", "--json"));

    Elsewhere.Said said =
        Elsewhere.run(
            "077",
            home.resolve("plain"),
            environment(),
            List.of(url(USER + ":" + IN_URL)),
            commands);

    assertThat(said.codes()).as(said.text()).hasSameSizeAs(commands);
    int at = 0;
    for (Map.Entry<String, Boolean> end : ends().entrySet()) {
      for (List<String> use : uses(end.getKey())) {
        int code = said.codes().get(at++);
        boolean differs = use.getFirst().equals("verify") && use.contains("--key");
        assertThat(code == 0 || (differs && code == 1))
            .as("%s ends with %d", use, code)
            .isEqualTo(end.getValue());
      }
    }
    assertThat(said.codes()).doesNotContain(ExitCode.BUG.number());
    assertThat(said.text().lines().filter(line -> line.contains(MARK))).isEmpty();

    List<Path> written = written();
    assertThat(written.stream().map(SecretsTest::ending))
        .contains("json", "jfr", "csv", "jsonl", "plain");
    assertThat(written.stream().filter(SecretsTest::holdsMark)).isEmpty();
    // The search does find one if there is one.
    assertThat(holdsMark(home.resolve(".config/millrace/connections.yaml"))).isTrue();
  }

  private List<Path> written() throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.endsWith("connections.yaml"))
          .toList();
    }
  }

  private static String ending(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /// Whether the password is in a file, as bytes or as Java's characters.
  private static boolean holdsMark(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      String wide =
          new String(
              MARK.getBytes(StandardCharsets.UTF_16BE),
              1,
              2 * MARK.length() - 1,
              StandardCharsets.ISO_8859_1);
      return file.toString().contains(MARK) || text.contains(MARK) || text.contains(wide);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
