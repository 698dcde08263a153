package millrace.spark.read;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/// The program that {@link SparkReadTest} runs as a driver of Spark: it asks some queries, and
/// prints a line `RESULT name value` for each.
public final class SparkQueries {

  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private final SparkSession spark;
  private final String csv;
  private final String postgres;
  private final String sqlite;

  private SparkQueries(SparkSession spark, String csv, String postgres, String sqlite) {
    this.spark = spark;
    this.csv = csv;
    this.postgres = postgres;
    this.sqlite = sqlite;
  }

  /// The database's URL stands in the environment: Spark logs the arguments of its driver.
  ///
  /// @param args the CSV file, the SQLite file, the database's URL for JDBC
  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().appName("queries").getOrCreate()) {
      SparkQueries queries =
          new SparkQueries(spark, args[0], System.getenv("MILLRACE_PROD"), args[1]);
      queries.text();
      queries.types();
      queries.filters();
      queries.views();
      queries.oneState(args[2]);
      queries.oneProcess();
      queries.refusals();
      say("held", connections(args[2]) > 0);
    }
    while (connections(args[2]) > 0) {
      // Spark has ended, and the server sees that its clients go.
      Thread.sleep(100);
    }
    say("released", true);
  }

  /// How many the data source has to the database.
  private static int connections(String jdbc) throws SQLException {
    try (Connection connection = DriverManager.getConnection(jdbc);
        Statement statement = connection.createStatement();
        ResultSet count =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader'")) {
      count.next();
      return count.getInt(1);
    }
  }

  private Dataset<Row> load(String from) {
    return spark.read().format("millrace").option("from", from).load();
  }

  private Dataset<Row> table(String name) {
    return spark
        .read()
        .format("millrace")
        .option("from", postgres.replace(":sesame@", "@") + "?table=" + name)
        .option("password", "sesame")
        .load();
  }

  private void text() {
    Dataset<Row> rows =
        spark.read().format("millrace").option("from", csv).option("splitBytes", "128kB").load();
    say("csv.schema", rows.schema().simpleString());
    say("csv.partitions", rows.rdd().getNumPartitions());
    say("csv.rows", rows.count());
    rows.createOrReplaceTempView("orders");
    say(
        "csv.sums",
        one("SELECT sum(id), min(id), max(id), sum(amount), count(DISTINCT note) FROM orders"));
    say("csv.note", one("SELECT note FROM orders WHERE id = 17"));
    say("csv.plan", plan("SELECT note FROM orders WHERE id = 17"));
  }

  private void types() {
    Dataset<Row> rows = table("kinds");
    say("types.schema", rows.schema().simpleString());
    say("types.comment", rows.schema().apply("u").getComment().get());
    rows.createOrReplaceTempView("kinds");
    for (Row row : spark.sql("SELECT * FROM kinds WHERE id <= 3").collectAsList()) {
      for (String name : row.schema().fieldNames()) {
        Object value = row.getAs(name);
        say(
            "types." + row.getAs("id") + "." + name,
            value instanceof byte[] bytes ? java.util.HexFormat.of().formatHex(bytes) : value);
      }
    }
    say(
        "types.sums",
        one(
            "SELECT count(*), count(DISTINCT id), sum(price), min(day), max(wall), max(big) FROM"
                + " kinds WHERE id > 3"));
  }

  private void filters() {
    String query =
        "SELECT id FROM kinds WHERE (small = 4 OR price >= 12.50) AND name IN ('n4', 'it''s')"
            + " AND day >= DATE '2024-01-01' AND at < TIMESTAMP '2100-01-01 00:00:00Z'"
            + " AND label LIKE 'lab%' AND r = 0.5 AND name > 'a' AND small IS NOT NULL";
    say("filters.plan", plan(query));
    say("filters.rows", spark.sql(query).collectAsList());
    say("filters.counted", plan("SELECT count(*) FROM kinds"));
  }

  private void views() {
    spark.sql("CREATE TEMPORARY VIEW seen USING millrace OPTIONS (from 'PROD:kinds')");
    say("views.rows", one("SELECT count(*) FROM seen"));
    String address = postgres.replace(":sesame@", "@");
    spark.sql(
        "CREATE TEMPORARY VIEW given USING millrace OPTIONS (from '"
            + address
            + "?table=kinds', password 'sesame')");
    say("views.given", one("SELECT count(*) FROM given"));
    say("views.plan", spark.sql("EXPLAIN EXTENDED SELECT * FROM given").first().getString(0));
    say("views.loaded", table("kinds").queryExecution().toString());
  }

  /// Reads a table again that has more rows by then.
  private void oneState(String jdbc) throws SQLException {
    Dataset<Row> rows = table("growing").select("id");
    int before = rows.collectAsList().size();
    try (Connection connection = DriverManager.getConnection(jdbc);
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO growing SELECT generate_series(101, 150)");
    }
    int again = rows.collectAsList().size();
    say("state", before + " " + again + " " + table("growing").count());
  }

  private void oneProcess() {
    Dataset<Row> rows = load("sqlite:" + sqlite + "?table=t");
    say(
        "sqlite",
        rows.rdd().getNumPartitions() + " " + rows.agg(java.util.Map.of("a", "sum")).first());
  }

  private void refusals() {
    Dataset<Row> odd = table("odd");
    say("odd.pushed", odd.where("at < '2030-01-01'").collectAsList());
    say("odd.refused", refused(odd::collectAsList));
    say("none", refused(() -> spark.read().format("millrace").load()));
    say("unknown", refused(() -> spark.read().format("millrace").option("header", "1").load()));
    say("password", refused(() -> load(postgres + "?table=kinds")));
    say("missing", refused(() -> load("/nowhere/orders.csv")));
    String bad = csv.replace("orders", "bad") + "?columns=id:int64,amount:decimal(18,2),note:text";
    say("bad", refused(load(bad).select("id")::collectAsList));
  }

  private static String refused(Supplier<?> work) {
    try {
      return "not refused: " + work.get();
    } catch (Exception e) {
      // Scala throws checked exceptions that it does not declare.
      return e.toString();
    }
  }

  private String one(String sql) {
    return spark.sql(sql).first().toString();
  }

  private String plan(String sql) {
    return spark.sql("EXPLAIN " + sql).first().getString(0);
  }

  private static void say(String name, Object value) {
    OUT.println("RESULT " + name + " " + String.valueOf(value).replace("\n", "\\n"));
  }
}
