package millrace.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.testkit.NotOffered;
import millrace.testkit.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./millrace copy --on` on a standalone cluster of two executors whose processes are killed,
/// stopped and interrupted: every row is there once.
///
/// The workers run on an older Java where this machine has one, and the executors on that of this
/// test, by a setting of the cluster.
final class ClusterIT {

  private static final int ROWS = 120_000;

  /// Makes four splits of the rows.
  private static final String WORDS = "word ".repeat(80);

  private static final String SUM =
      "SELECT count(*), count(DISTINCT id), sum(id), sum(x), count(*) FILTER (WHERE name <> '"
          + WORDS
          + "' || id) FROM t";

  private static final long IDS = (long) ROWS * (ROWS + 1) / 2;

  private static final String ALL_ONCE =
      ROWS + "|" + ROWS + "|" + IDS + "|" + (IDS + ROWS / 20) + ".0|0";

  /// In the middle of the third split.
  private static final int HELD = 95_000;

  @TempDir private static Path shared;
  @TempDir private Path folder;

  private static PostgresServer server;
  private static SparkHome home;
  private static StandaloneCluster cluster;
  private static Path csv;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    LaunchedCopy.buildAll();
    home = SparkHome.make(shared);
    cluster = new StandaloneCluster(home, Files.createDirectories(shared.resolve("c")), workers());
    server = PostgresServer.embedded();
    csv = shared.resolve("rows.csv");
    write(csv, "");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /// No application is left that would keep the next one waiting.
  @AfterEach
  void endAll() {
    cluster.awaitNoExecutor();
  }

  private static Path workers() throws IOException {
    Path older = older();
    return older == null ? Path.of(System.getProperty("java.home")) : older;
  }

  /// A JDK that Spark runs on and Millrace does not; null if there is none.
  private static @Nullable Path older() throws IOException {
    Path folder = Path.of("/usr/lib/jvm");
    if (Files.notExists(folder)) {
      return null;
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> Files.isExecutable(each.resolve("bin/java")))
          .filter(ClusterIT::isOlder)
          .sorted()
          .findFirst()
          .orElse(null);
    }
  }

  private static boolean isOlder(Path jdk) {
    try {
      return Files.readString(jdk.resolve("release"))
          .matches("(?s).*\\bJAVA_VERSION=\"(17|18|19|2[0-4])\\b.*");
    } catch (IOException _) {
      // Not a JDK's folder.
      return false;
    }
  }

  /// @param bad the text in place of a number in the row that is {@link #HELD} elsewhere
  private static void write(Path file, String bad) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("id,name,x\n");
      for (int id = 1; id <= ROWS; id++) {
        String x = id == HELD && !bad.isEmpty() ? bad : id + (id % 2 == 0 ? ".0" : ".1");
        out.write(id + "," + WORDS + id + "," + x + "\n");
      }
    }
  }

  private LaunchedCopy copy(String from, String to, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of(from, to, "--mode", "append"));
    words.addAll(List.of("--commit-unit", "2MB"));
    words.addAll(List.of(more));
    return new LaunchedCopy(folder, Map.of("SPARK_HOME", home.folder().toString()), words);
  }

  private LaunchedCopy onCluster(String from, String to, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("--on", cluster.master()));
    words.addAll(List.of(more));
    return copy(from, to, words.toArray(String[]::new));
  }

  /// Where Spark writes all events down, as text.
  private static String[] logged(Path folder, String... more) {
    List<String> words = new ArrayList<>(List.of(more));
    words.addAll(List.of("--conf", "spark.eventLog.enabled=true"));
    words.addAll(List.of("--conf", "spark.eventLog.compress=false"));
    words.addAll(List.of("--conf", "spark.eventLog.dir=file:" + folder));
    return words.toArray(String[]::new);
  }

  private static void endsWith(int code, LaunchedCopy copy) {
    int ended = copy.await();
    assertThat(ended).as(copy::said).isEqualTo(code);
  }

  private static ProcessHandle holder(List<Integer> ports) throws IOException {
    return cluster.executor(ports.getFirst(), server.port());
  }

  @Test
  void rowsAreThereOnceAndAPasswordIsNowhere() throws IOException, SQLException {
    try (HeldTable table = new HeldTable(server, "NEW.id = " + HELD)) {
      String password = "geheim-und-lang";
      String user = "cluster_user";
      server.execute(
          table.database(),
          "CREATE ROLE " + user + " LOGIN PASSWORD '" + password + "'",
          "GRANT " + PostgresServer.PASSWORD_ROLE + " TO " + user,
          "ALTER TABLE t OWNER TO " + user,
          "GRANT ALL ON SCHEMA public TO " + user);
      String url = table.url().replace("//postgres@", "//" + user + ":" + password + "@");
      Path log = Files.createDirectories(folder.resolve("events"));
      LaunchedCopy copy = onCluster(csv.toString(), url, logged(log));
      table.awaitHeld(1, copy);
      assertThat(
              ProcessHandle.allProcesses()
                  .filter(each -> !each.equals(copy.handle()))
                  .map(StandaloneCluster::line)
                  .filter(line -> line.contains(password)))
          .isEmpty();
      List<Path> places = List.of(log, cluster.work(), shared.resolve("scratch"));
      for (Path place : places) {
        assertThat(StandaloneCluster.filesWith(place, password)).isEmpty();
      }
      table.release();
      endsWith(0, copy);
      assertThat(table.one(SUM)).isEqualTo(ALL_ONCE);
      assertThat(copy.said())
          .contains("copy done: 120,000 rows")
          .containsPattern("note +executor [01] on 127\\.0\\.0\\.[12]: [0-9] splits, [0-9,]+ rows");
      assertThat(StandaloneCluster.filesWith(log, "millrace: split 1")).isNotEmpty();
      for (Path place : places) {
        assertThat(StandaloneCluster.filesWith(place, password)).isEmpty();
      }
    }
  }

  @Test
  void rowsAreThereOnceIfAnExecutorIsKilledAmongThem() throws IOException, SQLException {
    try (HeldTable table = new HeldTable(server, "NEW.id = " + HELD)) {
      LaunchedCopy copy =
          onCluster(
              csv.toString(),
              table.url(),
              "--conf",
              "spark.serializer=org.apache.spark.serializer.KryoSerializer");
      StandaloneCluster.signal("KILL", holder(table.awaitHeld(1, copy)));
      table.release();
      endsWith(0, copy);
      assertThat(table.one(SUM)).isEqualTo(ALL_ONCE);
      assertThat(copy.said()).contains("Lost executor");
    }
  }

  /// The first time on the cluster, the second time on this machine.
  @Test
  void aCopyWhoseDriverIsKilledIsResumedHereOrThere() throws IOException, SQLException {
    try (HeldTable table = new HeldTable(server, "NEW.id % 30000 = 20000")) {
      LaunchedCopy first = onCluster(csv.toString(), table.url());
      table.awaitHeld(2, first);
      StandaloneCluster.signal("KILL", first.driver());
      assertThat(first.await()).as(first::said).isNotZero();
      cluster.awaitNoExecutor();
      table.release();
      // It waits for what is still under way.
      table.holdRows("NEW.id = 90000");
      table.hold();
      long before = table.rows();
      assertThat(before).isBetween(1L, ROWS - 1L);
      LaunchedCopy second = onCluster(csv.toString(), table.url(), "--resume");
      table.awaitHeld(1, second);
      StandaloneCluster.signal("KILL", second.driver());
      assertThat(second.await()).as(second::said).isNotZero();
      cluster.awaitNoExecutor();
      table.release();
      table.holdRows("false");
      assertThat(table.rows()).isBetween(before + 1, ROWS - 1L);

      LaunchedCopy third = copy(csv.toString(), table.url(), "--resume");
      endsWith(0, third);
      assertThat(table.one(SUM)).isEqualTo(ALL_ONCE);
    }
  }

  /// Its worker is stopped too: that would kill it.
  @Test
  void rowsAreThereOnceIfAnExecutorThatWasGivenUpWakes() throws IOException, SQLException {
    try (HeldTable table = new HeldTable(server, "NEW.id = " + HELD)) {
      LaunchedCopy copy =
          onCluster(
              csv.toString(),
              table.url(),
              "--conf",
              "spark.network.timeout=4s",
              "--conf",
              "spark.network.timeoutInterval=1s",
              "--conf",
              "spark.executor.heartbeatInterval=1s");
      ProcessHandle executor = holder(table.awaitHeld(1, copy));
      ProcessHandle worker = StandaloneCluster.worker(executor);
      StandaloneCluster.signal("STOP", worker, executor);
      try {
        table.release();
        table.awaitAnotherAttempt(copy);
      } finally {
        StandaloneCluster.signal("CONT", worker, executor);
      }
      endsWith(0, copy);
      cluster.awaitNoExecutor();
      assertThat(table.one(SUM)).isEqualTo(ALL_ONCE);
      assertThat(copy.said()).contains("Lost executor");
    }
  }

  @Test
  void aTableThatIsWrittenMeanwhileIsReadInOneState() throws IOException, SQLException {
    try (HeldTable table = new HeldTable(server, "NEW.id % 30000 = 20000")) {
      server.execute(
          table.database(),
          "CREATE TABLE s AS SELECT id, '"
              + WORDS
              + "' || id AS name, (id + 0.1 * (id % 2))::numeric(18,1) AS x FROM generate_series(1,"
              + " "
              + ROWS
              + ") AS id");
      LaunchedCopy copy = onCluster(table.url().replace("table=t", "table=s"), table.url());
      table.awaitHeld(2, copy);
      // No split has ended.
      copy.awaitSaid(" [1-9][0-9,]* rows ");
      try (Connection another = server.connect(table.database());
          Statement statement = another.createStatement()) {
        statement.execute("UPDATE s SET name = 'another' WHERE id % 3 = 0");
        statement.execute("INSERT INTO s SELECT id + 1000000, name, x FROM s WHERE id % 5 = 0");
      }
      table.release();
      endsWith(0, copy);
      assertThat(table.one(SUM)).isEqualTo(ALL_ONCE);
    }
  }

  @Test
  void wrongDataIsToldAsOnOneMachineAndNotTriedAgain() throws IOException, SQLException {
    Path bad = folder.resolve("bad.csv");
    write(bad, "9,5");
    Files.writeString(bad, Files.readString(bad).replace(",9,5\n", ",\"nine, five\"\n"));
    Path log = Files.createDirectories(folder.resolve("events"));
    try (HeldTable there = new HeldTable(server, "false");
        HeldTable here = new HeldTable(server, "false")) {
      LaunchedCopy onCluster = onCluster(bad.toString(), there.url(), logged(log));
      int code = onCluster.await();
      LaunchedCopy onOne = copy(bad.toString(), here.url());
      endsWith(code, onOne);
      assertThat(code).isEqualTo(3);
      assertThat(onCluster.said())
          .contains(fault(onOne))
          .contains("bad.csv", "line " + (HELD + 1), "nine, five")
          .doesNotContain("\tat ");
      assertThat(jobs(log)).isNotEmpty().doesNotHaveDuplicates();
    }
  }

  private static String fault(LaunchedCopy copy) {
    return copy.said()
        .lines()
        .filter(line -> line.contains("bad.csv, line "))
        .findFirst()
        .orElseThrow();
  }

  /// What the tasks of all jobs were for.
  private static List<String> jobs(Path log) throws IOException {
    try (Stream<Path> all = Files.walk(log)) {
      List<String> jobs = new ArrayList<>();
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Files.readAllLines(file).stream()
            .filter(line -> line.contains("\"SparkListenerJobStart\""))
            .map(line -> line.replaceAll(".*\"spark.job.description\":\"([^\"]*)\".*", "$1"))
            .forEach(jobs::add);
      }
      return jobs;
    }
  }

  @Test
  void anInterruptEndsItAndItsExecutors() throws IOException, SQLException {
    try (HeldTable table = new HeldTable(server, "NEW.id % 30000 = 20000")) {
      LaunchedCopy copy = onCluster(csv.toString(), table.url());
      table.awaitHeld(2, copy);
      // As a terminal does.
      StandaloneCluster.signal("INT", copy.handle(), copy.driver());
      endsWith(130, copy);
      assertThat(copy.said())
          .contains(
              "millrace: Stopped.", "rows had been committed before, and stay.", "Go on with: ")
          .doesNotContain("\tat ");
      cluster.awaitNoExecutor();
      table.release();
      table.holdRows("false");
      assertThat(table.rows()).isBetween(1L, ROWS - 1L);
      endsWith(0, copy(csv.toString(), table.url(), "--resume"));
      assertThat(table.one(SUM)).isEqualTo(ALL_ONCE);
    }
  }

  @Test
  void executorsOfAnOlderJavaAreTold() throws IOException, SQLException {
    Path older = older();
    if (older == null) {
      throw new NotOffered("spark", "a JDK from 17 to 24 in /usr/lib/jvm");
    }
    try (HeldTable table = new HeldTable(server, "false")) {
      LaunchedCopy copy =
          onCluster(csv.toString(), table.url(), "--conf", "spark.executorEnv.JAVA_HOME=" + older);
      endsWith(2, copy);
      assertThat(copy.said())
          .contains("millrace: The cluster's executors run an older Java than 25.")
          .contains("--conf spark.executorEnv.JAVA_HOME=")
          .doesNotContain("\tat ");
      assertThat(table.rows()).isZero();
    }
  }
}
