package millrace.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads through a real Spark: a driver in a process of its own, and two executors in theirs.
final class SparkReadTest {

  private static final int ORDERS = 20_000;
  private static final String PASSWORD = "sesame";

  @TempDir static Path folder;

  private static final Map<String, String> RESULTS = new HashMap<>();

  @BeforeAll
  static void runsTheQueries() throws Exception {
    // Only there do members of a role have to give their password.
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    tables(server, database);
    writeOrders();
    writeSqlite();
    String address = server.host() + ":" + server.port() + "/" + database;
    String url = "postgresql://reader:" + PASSWORD + "@" + address;
    List<String> said =
        spark(
            Map.of("MILLRACE_PROD", url),
            folder.resolve("orders.csv").toString(),
            folder.resolve("some.db").toString(),
            "jdbc:postgresql://" + address + "?user=" + server.user());
    for (String line : said) {
      if (line.startsWith("RESULT ")) {
        String[] words = line.split(" ", 3);
        RESULTS.put(words[1], words[2].replace("\\n", "\n"));
      }
    }
    assertThat(RESULTS).as(String.join("\n", said)).containsKey("released");
  }

  private static void tables(PostgresServer server, String database) {
    server.execute(
        database,
        "CREATE ROLE reader LOGIN PASSWORD 'sesame' IN ROLE " + PostgresServer.PASSWORD_ROLE,
        """
        CREATE TABLE kinds (id int PRIMARY KEY, small smallint, big bigint, r real,
          d double precision, flag boolean, price numeric(12,2), huge numeric(38,10), free numeric,
          day date, at timestamptz, wall timestamp, tod time, u uuid, j jsonb, raw bytea,
          tags int[], name text, label varchar(20))
        """,
        """
        INSERT INTO kinds VALUES (1, -32768, -9223372036854775808, 0.1, 0.1, true, -12.50,
          -1234567890123456789012345678.0123456789, 1e50, '0001-01-01', '0001-01-01 00:00:00+00',
          '1969-12-31 23:59:59.999999', '24:00', 'c0de0000-0000-0000-0000-00000000000f',
          '{"a": [1, "b"]}', '\\x00ff', '{1,NULL,3}', 'Grüße "x", 🙂', ''),
          (2, 32767, 9223372036854775807, 'NaN', '-Infinity', false, 9999999999.99,
          9999999999999999999999999999.9999999999, 'NaN', '9999-12-31',
          '9999-12-31 23:59:59.999999+00', '2024-02-29 12:34:56.789', '12:34:56.789',
          'ffffffff-ffff-ffff-ffff-ffffffffffff', 'null', '', '{}', '', 'label')
        """,
        "INSERT INTO kinds (id) VALUES (3)",
        """
        INSERT INTO kinds SELECT i, i % 100, i * 1000000000000, 0.5, i, i % 2 = 0, i / 4.0, i, i,
          DATE '2024-01-01' + i % 365, TIMESTAMPTZ '2024-01-01 00:00+00' + i * INTERVAL '1 h',
          TIMESTAMP '2024-01-01' + i * INTERVAL '1 s', '12:00', NULL, NULL, NULL, NULL,
          'n' || i, 'label' || i FROM generate_series(4, 5000) i
        """,
        "CREATE TABLE growing (id int)",
        "INSERT INTO growing SELECT generate_series(1, 100)",
        "CREATE TABLE odd (id int, at timestamp)",
        "INSERT INTO odd VALUES (1, '2024-01-01 00:00:00'), (2, 'infinity')",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
  }

  private static void writeOrders() throws IOException {
    StringBuilder text = new StringBuilder("id,amount,note\n");
    for (int i = 1; i <= ORDERS; i++) {
      text.append(i).append(',').append(i % 100).append(".25,\"").append(note(i)).append("\"\n");
    }
    Files.writeString(folder.resolve("orders.csv"), text);
    int place = text.indexOf("\n" + 9_000 + ",") + 1;
    text.insert(place, "x,1.00,no number\n");
    Files.writeString(folder.resolve("bad.csv"), text);
  }

  private static String note(int id) {
    return "said \"\"" + id + "\"\", then,\n" + id + ",1.25,\"\"\n";
  }

  private static void writeSqlite() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("some.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INTEGER, b TEXT)");
      statement.execute("INSERT INTO t VALUES (1, 'x'), (2, NULL), (39, 'z')");
    }
  }

  /// Runs the queries; returns what they print.
  private static List<String> spark(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Path home = Files.createDirectories(folder.resolve("spark"));
    List<String> folders = linkJars(Files.createDirectories(home.resolve("jars")));
    Path events = Files.createDirectories(folder.resolve("events"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-Xmx1g", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().strip().split("\\s+")));
    command.addAll(List.of("-Dspark.ui.enabled=false", "-Dspark.sql.shuffle.partitions=2"));
    settings(String.join(":", folders), events)
        .forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", home + "/jars/*:" + String.join(":", folders)));
    command.add(SparkQueries.class.getName());
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    builder
        .environment()
        .putAll(
            Map.of(
                "SPARK_HOME", home.toString(),
                "SPARK_SCALA_VERSION", "2.13",
                "SPARK_LOCAL_IP", "127.0.0.1",
                "JAVA_HOME", System.getProperty("java.home"),
                "TZ", "UTC"));
    Process process = builder.start();
    try {
      process.waitFor(5, TimeUnit.MINUTES);
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(output);
  }

  private static Map<String, String> settings(String classes, Path events) {
    return Map.of(
        "spark.master", "local-cluster[2,1,1024]",
        "spark.driver.host", "127.0.0.1",
        "spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1",
        "spark.executor.extraClassPath", classes,
        "spark.log.level", "WARN",
        "spark.sql.session.timeZone", "UTC",
        "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
        "spark.eventLog.enabled", "true",
        "spark.eventLog.compress", "false",
        "spark.eventLog.dir", events.toUri().toString());
  }

  /// Links each jar of the class path, the first of a name, but those that write logs: Spark brings
  /// its own. Returns the folders of classes.
  private static List<String> linkJars(Path jars) throws IOException {
    List<String> folders = new ArrayList<>();
    Map<String, Path> byName = new HashMap<>();
    for (String each : System.getProperty("java.class.path").split(":", -1)) {
      Path path = Path.of(each).toAbsolutePath();
      String name = String.valueOf(path.getFileName());
      if (Files.isDirectory(path)) {
        folders.add(path.toString());
      } else if (!name.matches("slf4j-(jdk14|simple)-.*")) {
        byName.putIfAbsent(name.replaceAll("-[0-9].*", ""), path);
      }
    }
    for (Path path : byName.values()) {
      Files.createSymbolicLink(jars.resolve(path.getFileName()), path);
    }
    return folders;
  }

  private static String result(String name) {
    return String.valueOf(RESULTS.get(name));
  }

  @Test
  void readsTextCutAtQuotedNewlines() {
    assertThat(result("csv.schema"))
        .isEqualTo("struct<id:bigint,amount:decimal(18,2),note:string>");
    assertThat(Integer.parseInt(result("csv.partitions"))).isGreaterThan(4);
    assertThat(result("csv.rows")).isEqualTo(String.valueOf(ORDERS));
    assertThat(result("csv.sums")).isEqualTo("[200010000,1,20000,995000.00,20000]");
    assertThat(result("csv.note")).isEqualTo("[" + note(17).replace("\"\"", "\"") + "]");
    assertThat(result("csv.plan")).contains("columns: [id, note], pushed: []");
  }

  @Test
  void givesEachTypeItsMatch() {
    assertThat(result("types.schema"))
        .isEqualTo(
            "struct<id:int,small:smallint,big:bigint,r:float,d:double,flag:boolean,"
                + "price:decimal(12,2),huge:decimal(38,10),free:string,day:date,at:timestamp,"
                + "wall:timestamp_ntz,tod:string,u:string,j:string,raw:binary,tags:string,"
                + "name:string,label:string>");
    assertThat(result("types.comment")).isEqualTo("uuid");
  }

  @Test
  void keepsEveryValue() {
    assertThat(values(1))
        .containsEntry("small", "-32768")
        .containsEntry("big", "-9223372036854775808")
        .containsEntry("r", "0.1")
        .containsEntry("d", "0.1")
        .containsEntry("flag", "true")
        .containsEntry("price", "-12.50")
        .containsEntry("huge", "-1234567890123456789012345678.0123456789")
        .containsEntry("free", "1" + "0".repeat(50))
        .containsEntry("day", "0001-01-01")
        .containsEntry("wall", "1969-12-31T23:59:59.999999")
        .containsEntry("tod", "24:00:00")
        .containsEntry("u", "c0de0000-0000-0000-0000-00000000000f")
        .containsEntry("j", "{\"a\": [1, \"b\"]}")
        .containsEntry("raw", "00ff")
        .containsEntry("tags", "{1,NULL,3}")
        .containsEntry("name", "Grüße \"x\", 🙂")
        .containsEntry("label", "");
    assertThat(values(2))
        .containsEntry("big", "9223372036854775807")
        .containsEntry("r", "NaN")
        .containsEntry("d", "-Infinity")
        .containsEntry("huge", "9999999999999999999999999999.9999999999")
        .containsEntry("free", "NaN")
        .containsEntry("day", "9999-12-31")
        .containsEntry("at", "9999-12-31 23:59:59.999999")
        .containsEntry("wall", "2024-02-29T12:34:56.789")
        .containsEntry("tod", "12:34:56.789")
        .containsEntry("raw", "");
    Map<String, String> nothing = values(3);
    nothing.remove("id");
    assertThat(nothing.values()).hasSize(18).containsOnly("null");
    assertThat(result("types.sums"))
        .isEqualTo("[4997,4997,3125623.50,2024-01-01,2024-01-01T01:23:20,5000000000000000]");
  }

  private static Map<String, String> values(int id) {
    String prefix = "types." + id + ".";
    return RESULTS.entrySet().stream()
        .filter(each -> each.getKey().startsWith(prefix))
        .collect(
            Collectors.toMap(
                each -> each.getKey().substring(prefix.length()), Map.Entry::getValue));
  }

  @Test
  void letsTheSourceFilterWhatItComparesAsSparkDoes() {
    assertThat(result("filters.plan"))
        .contains(
            "(\"small\" = 4 OR \"price\" >= 12.50)",
            "\"name\" IN ('n4', 'it''s')",
            "\"day\" >= DATE '2024-01-01'",
            "\"at\" < TIMESTAMP WITH TIME ZONE '2100-01-01 00:00:00.000000+00'",
            "left(\"label\", 3) = 'lab'",
            "\"small\" IS NOT NULL")
        .doesNotContain("\"r\" =", "\"name\" >");
    assertThat(result("filters.rows")).isEqualTo("[[4]]");
    assertThat(result("filters.counted")).contains("columns: [], pushed: []");
  }

  @Test
  void showsNoPassword() throws IOException {
    assertThat(result("views.rows")).isEqualTo("[5000]");
    assertThat(result("views.given")).isEqualTo("[5000]");
    assertThat(result("views.plan")).contains("millrace postgresql://reader@");
    assertThat(result("views.loaded")).contains("millrace postgresql://reader@");
    assertThat(RESULTS.values()).noneMatch(each -> each.contains(PASSWORD));
    try (Stream<Path> logs = Files.walk(folder.resolve("events"))) {
      String all =
          logs.filter(Files::isRegularFile).map(SparkReadTest::text).collect(Collectors.joining());
      assertThat(all.lines().filter(each -> each.contains(PASSWORD))).isEmpty();
      assertThat(all).contains("millrace postgresql://reader@");
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readsOneStateHoweverOften() {
    assertThat(result("state")).isEqualTo("100 100 150");
  }

  @Test
  void letsGoOfItsConnectionsWhenTheApplicationEnds() {
    assertThat(result("held")).isEqualTo("true");
    assertThat(result("released")).isEqualTo("true");
  }

  @Test
  void readsWhatOneProcessAloneMayReadInOneTask() {
    assertThat(result("sqlite")).isEqualTo("1 [42]");
  }

  @Test
  void saysWhatIsWrong() {
    assertThat(result("odd.pushed")).isEqualTo("[[1,2024-01-01T00:00]]");
    assertThat(result("odd.refused"))
        .contains("Column 'at' has the value infinity, which no timestamp_ntz of Spark is.");
    assertThat(result("none")).contains("The option 'from' of the data source millrace is missing");
    assertThat(result("unknown")).contains("has no option 'header'. It has from, password and");
    assertThat(result("password"))
        .contains("'from' has a password in it, and Spark writes options");
    assertThat(result("missing")).contains("/nowhere/orders.csv");
    assertThat(result("bad")).contains("bad.csv, line 26999, column 'id'");
  }
}
