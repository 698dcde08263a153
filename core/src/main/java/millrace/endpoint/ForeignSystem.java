package millrace.endpoint;

import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;

/// Systems that have no connector, and what gets their rows across all the same. Nothing of a URL
/// but its scheme is repeated: such URLs hold keys and signatures.
///
/// @param schemes as users write them, with blanks between
/// @param why what stands in the way, as a sentence
/// @param advice what to do, as a sentence without its end
/// @param commands each on a line of its own
record ForeignSystem(String schemes, String why, String advice, List<String> commands) {

  private static final String STORE =
      "Millrace reads and writes files of this machine, of s3://, az:// and gs://, and pipes; it"
          + " reads those of https:// too.";
  private static final String PIPE = "Let the tool of the store hand the file over";
  private static final String DRIVER =
      "Millrace reaches it by its JDBC driver, which you bring, and a URL of JDBC.";
  private static final String WRITE = "Write it so (a password goes into a connection)";
  private static final String PROTOCOL = "It is written by the name of the protocol.";

  private static final List<ForeignSystem> ALL =
      List.of(
          new ForeignSystem(
              "s3 s3a s3n",
              STORE,
              PIPE,
              List.of(
                  "aws s3 cp s3://bucket/orders.csv - | millrace copy - TO",
                  "millrace copy FROM - | aws s3 cp - s3://bucket/orders.csv")),
          new ForeignSystem(
              "gs gcs",
              STORE,
              PIPE,
              List.of(
                  "gcloud storage cat gs://bucket/orders.csv | millrace copy - TO",
                  "millrace copy FROM - | gcloud storage cp - gs://bucket/orders.csv")),
          new ForeignSystem(
              "az azure abfs abfss adl wasb wasbs",
              STORE,
              "Let the tool of the store download the file, then copy that",
              List.of(
                  "azcopy copy 'https://ACCOUNT.blob.core.windows.net/CONTAINER/orders.csv'"
                      + " orders.csv",
                  "millrace copy orders.csv TO")),
          new ForeignSystem(
              "http https ftp ftps",
              STORE,
              "Let curl hand the file over",
              List.of("curl -fsSL URL | millrace copy - TO")),
          new ForeignSystem(
              "ssh scp sftp",
              STORE,
              "Let ssh hand the file over",
              List.of(
                  "ssh host cat orders.csv | millrace copy - TO",
                  "millrace copy FROM - | ssh host 'cat > orders.csv'")),
          new ForeignSystem(
              "hdfs",
              STORE,
              "Let Hadoop's tool hand the file over",
              List.of(
                  "hdfs dfs -cat /orders.csv | millrace copy - TO",
                  "millrace copy FROM - | hdfs dfs -put - /orders.csv")),
          new ForeignSystem(
              "mongodb mongo mongodb+srv",
              "Millrace reads and writes JSON Lines.",
              "Let the tools of MongoDB hand them over",
              List.of(
                  "mongoexport --uri=URI --collection=orders | millrace copy - TO --format jsonl",
                  "millrace copy FROM - --format jsonl | mongoimport --uri=URI"
                      + " --collection=orders")),
          new ForeignSystem(
              "pg pgsql psql cockroach cockroachdb yugabytedb timescaledb",
              PROTOCOL,
              WRITE,
              List.of("postgresql://user@host:5432/shop?table=orders")),
          new ForeignSystem(
              "tidb percona aurora",
              PROTOCOL,
              WRITE,
              List.of("mysql://user@host:3306/shop?table=orders")),
          byDriver("sqlserver mssql", "sqlserver://host:1433;databaseName=shop;user=me"),
          byDriver("db2", "db2://host:50000/shop"),
          byDriver("clickhouse", "clickhouse://host:8123/shop"),
          byDriver("snowflake", "snowflake://ACCOUNT.snowflakecomputing.com/?db=SHOP"),
          byDriver("redshift", "redshift://host:5439/shop"),
          byDriver("firebird firebirdsql", "firebirdsql://host:3050//path/shop.fdb"),
          byDriver("trino presto", "trino://host:8080/catalog/schema"),
          byDriver("h2", "h2:./shop"),
          byDriver("hsqldb", "hsqldb:file:shop"),
          byDriver("derby", "derby:shop"));

  private static ForeignSystem byDriver(String schemes, String url) {
    String table = (url.contains("?") ? "&" : "?") + "table=orders";
    return new ForeignSystem(
        schemes,
        DRIVER,
        WRITE,
        List.of("millrace copy 'jdbc:" + url + table + "' TO --driver driver.jar"));
  }

  /// Refuses an end with that scheme if something is known of it.
  ///
  /// @throws Fault.User if it is
  static void refuse(String scheme) {
    String name = scheme.toLowerCase(Locale.ROOT);
    for (ForeignSystem system : ALL) {
      if (List.of(system.schemes.split(" ")).contains(name)) {
        throw new Fault.User(
            "There is no connector for '" + scheme + ":'. " + system.why,
            system.advice + ":\n    " + String.join("\n    ", system.commands));
      }
    }
  }
}
