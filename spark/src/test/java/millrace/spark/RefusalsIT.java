package millrace.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `./millrace copy --on` refuses, and what it plans, without any cluster.
final class RefusalsIT {

  private static final String MASTER = "spark://nowhere:7077";

  @TempDir private static Path shared;
  @TempDir private Path folder;

  private static SparkHome home;
  private static String table;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    LaunchedCopy.buildAll();
    home = SparkHome.make(shared);
    PostgresServer server = PostgresServer.embedded();
    table = server.url(server.newDatabase()) + "?table=t";
    Files.writeString(shared.resolve("rows.csv"), "id,name\n1,one\n");
  }

  private LaunchedCopy copy(String sparkHome, String... words) throws IOException {
    Files.copy(shared.resolve("rows.csv"), folder.resolve("rows.csv"));
    LaunchedCopy copy = new LaunchedCopy(folder, Map.of("SPARK_HOME", sparkHome), List.of(words));
    copy.await();
    return copy;
  }

  private LaunchedCopy refused(String sparkHome, String... words) throws IOException {
    LaunchedCopy copy = copy(sparkHome, words);
    assertThat(copy.await()).as(copy::said).isEqualTo(2);
    // What is wrong, and what to do.
    assertThat(copy.said().lines()).as(copy::said).hasSize(2);
    assertThat(copy.said()).startsWith("millrace: ");
    return copy;
  }

  @Test
  void withoutSparkItSaysWhereToGetIt() throws IOException {
    assertThat(refused("", "rows.csv", table, "--on", MASTER).said())
        .contains("SPARK_HOME does not say where it is.", "pip install pyspark==");
  }

  @Test
  void aFolderThatIsNotSparksIsNamed() throws IOException {
    assertThat(refused(folder.toString(), "rows.csv", table, "--on", MASTER).said())
        .contains("SPARK_HOME is " + folder + ", and there is no bin/spark-submit in it.");
  }

  @Test
  void settingsOfSparkNeedACluster() throws IOException {
    assertThat(refused("", "rows.csv", table, "--conf", "spark.executor.cores=1").said())
        .contains("--conf is a setting of Spark's", "Add --on MASTER");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mariadb://root@nowhere/d?table=t | no snapshot that other connections can join
          sqlite:t.db?table=t              | SQLite keeps a file in one state for the connections of one process
          duckdb:t.db?table=t              | DuckDB lets no second process open a file that one has open
          -                                | Standard input can't be read by several processes: it is one stream
          """)
  void aSourceThatOneProcessReadsIsRefused(String from, String why) throws IOException {
    Files.createFile(folder.resolve("t.db"));
    assertThat(refused(home.folder().toString(), from, table, "--on", MASTER, "--dry-run").said())
        .contains(why, "Copy on one machine");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sqlite:new.db?table=t | from one process alone: they appear at once
          duckdb:new.db?table=t | from one process alone: they appear at once
          new.csv               | from one process alone: they are joined in one order
          null:                 | keeps no journal
          """)
  void aTargetThatOneProcessWritesIsRefused(String to, String why) throws IOException {
    assertThat(
            refused(home.folder().toString(), "rows.csv", to, "--on", MASTER, "--dry-run").said())
        .contains(why, "Copy on one machine");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).noneMatch(each -> each.getFileName().toString().startsWith("new"));
    }
  }

  @Test
  void whatOneProcessCountsIsRefused() throws IOException {
    String[] words = {"rows.csv", table, "--on", MASTER, "--dry-run", "--limit=5"};
    assertThat(refused(home.folder().toString(), words).said())
        .contains("--limit counts rows as one process reads them", "Copy on one machine");
  }

  @Test
  void aDryRunPrintsThePlanAndTheCommandWithoutSecrets() throws IOException {
    LaunchedCopy copy =
        copy(
            home.folder().toString(),
            "rows.csv",
            table.replace("postgres@", "postgres:geheim@"),
            "--on",
            MASTER,
            "--dry-run",
            "--conf",
            "spark.authenticate.secret=verborgen",
            "--conf",
            "spark.executor.cores=3");
    assertThat(copy.await()).as(copy::said).isZero();
    assertThat(copy.said())
        .contains("rows.csv", "column   id int64 -> id bigint")
        .contains(home.folder() + "/bin/spark-submit --master " + MASTER)
        .contains("--class millrace.spark.Driver", "spark.executor.cores=3")
        .contains("spark.authenticate.secret=***")
        .doesNotContain("geheim", "verborgen");
  }
}
