package millrace.spark.read;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import millrace.cli.Console;
import millrace.cli.option.Connections;
import millrace.connectors.Connectors;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;

/// What the user says of a table: the options of the data source.
///
/// @param from what is read
/// @param splitBytes about how many bytes of it a partition is to have
record ReadOptions(Endpoint from, long splitBytes) {

  private static final String FROM = "from";

  /// Spark shows the value of an option of that name nowhere.
  private static final String PASSWORD = "password";

  private static final String SPLIT_BYTES = "splitBytes";

  /// A task opens the source anew: that should not count.
  private static final String SPLIT_BYTES_USUAL = "64MB";

  /// Those whose location is a path of this machine.
  private static final List<String> FILES = List.of("file", "parquet", "duckdb", "sqlite");

  /// Understands them.
  ///
  /// @throws Fault.User if one is missing, unknown or wrong
  static ReadOptions of(Map<String, String> options) {
    for (String name : options.keySet()) {
      if (List.of(FROM, PASSWORD, SPLIT_BYTES).stream().noneMatch(name::equalsIgnoreCase)) {
        throw new Fault.User(
            "The data source millrace has no option '" + name + "'.",
            "It has from, password and splitBytes. Options of a source stand in its URL, as in"
                + " orders.csv?header=true");
      }
    }
    String from = options.get(FROM);
    if (from == null) {
      throw new Fault.User(
          "The option 'from' of the data source millrace is missing.",
          "Give it a URL, a path or the name of a connection:\n"
              + "  .option(\"from\", \"orders.csv\")");
    }
    Console console = new Console(System.out, System.err, System.getenv(), 0, false);
    Endpoint end = new Endpoints(Connectors.ALL.all(), Connections.load(console)).parse(from);
    if (end.isStandardStream()) {
      throw new Fault.User("Executors can't read standard input.", "Name a file or a table.");
    }
    if (end.secret().reveal() != null && !Endpoints.redact(from).equals(from)) {
      throw new Fault.User(
          "The option 'from' has a password in it, and Spark writes options to its logs.",
          "Use the name of a connection, or give the password apart, which Spark hides:\n"
              + "  .option(\"password\", …)");
    }
    String password = options.get(PASSWORD);
    Secret secret = password == null ? end.secret() : Secret.of(password);
    String size = options.getOrDefault(SPLIT_BYTES, SPLIT_BYTES_USUAL);
    return new ReadOptions(
        new Endpoint(end.scheme(), located(end), end.parameters(), secret),
        end.with(SPLIT_BYTES, size).size(SPLIT_BYTES, 0));
  }

  /// Executors work in folders of their own.
  private static String located(Endpoint end) {
    return FILES.contains(end.scheme()) && !end.location().contains("//")
        ? Path.of(end.location()).toAbsolutePath().toString()
        : end.location();
  }
}
