package millrace.cli.command;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.show.ShellWords;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `millrace oracle-setup --example report-b`.
@Command(
    name = "oracle-setup",
    abbreviateSynopsis = true,
    description = {
      "Prints the statements and commands of an example on an Oracle server.",
      "It connects to nothing, and changes nothing."
    },
    footer = {
      "%nExamples:",
      "  millrace oracle-setup --example report-b",
      "  millrace oracle-setup --example report-b --rows 10000000000 --partitions 32"
          + " oracle://me@host/PROD",
      "%nAn example:",
      "  report-b   a table in hash partitions with ten columns, and its unload to a file for each"
          + " partition"
    })
public final class OracleSetupCommand implements Callable<Integer> {

  private static final String REPORT_B = "report-b";
  private static final int PARTITIONS_MAX = 1024 * 1024 - 1;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SERVER",
      description =
          "What the commands name as the server; oracle://me@host:1521/FREEPDB1 if not given.")
  private String text = "oracle://me@host:1521/FREEPDB1";

  @Option(
      names = "--example",
      paramLabel = "NAME",
      required = true,
      description = "Which example: report-b.")
  private String example = REPORT_B;

  @Option(names = "--rows", paramLabel = "N", description = "How many rows; 10000000 if not given.")
  private long rows = 10_000_000;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "How many partitions; 32 if not given.")
  private int partitions = 32;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "The table's name, a plain word; HASH_PART_0160 if not given.")
  private String table = "HASH_PART_0160";

  private final Context context;

  public OracleSetupCommand(Context context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    check();
    Endpoint server = context.endpoints().parse(text);
    if (!server.scheme().equals("oracle")) {
      throw new Fault.User(
          server.label() + " is no Oracle server.", "Write oracle://user@host:port/service.");
    }
    lines(end(server)).forEach(context.console().out()::println);
    return ExitCode.OK.number();
  }

  /// The table on that server, as a user writes it.
  private String end(Endpoint server) {
    Map<String, String> parameters = new TreeMap<>(server.parameters());
    parameters.remove("query");
    parameters.put("table", table);
    return "oracle:"
        + server.location()
        + parameters.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining("&", "?", ""));
  }

  private void check() {
    if (!example.toLowerCase(Locale.ROOT).equals(REPORT_B)) {
      throw new Fault.User("There is no example '" + example + "'.", "There is report-b.");
    }
    if (rows < 1) {
      throw new Fault.User("--rows " + rows + " is below 1.", "Write how many rows you want.");
    }
    if (partitions < 1 || partitions > PARTITIONS_MAX) {
      throw new Fault.User(
          "--partitions " + partitions + " is not from 1 to " + PARTITIONS_MAX + ".",
          "Write how many partitions you want.");
    }
    if (!table.matches("[A-Za-z][A-Za-z0-9_]{0,29}")) {
      throw new Fault.User(
          "--table " + table + " is no plain word of at most 30 letters.", "Name another.");
    }
  }

  private List<String> lines(String end) {
    return List.of(
        "-- 1. The table, by sqlplus or another client.",
        "CREATE TABLE " + table + " (",
        "  name      VARCHAR2(12),",
        "  opened_at DATE,",
        "  account   NUMBER(19),",
        "  code      VARCHAR2(12),",
        "  amount    NUMBER(9,2),",
        "  closed_at DATE,",
        "  branch    CHAR(8),",
        "  place     VARCHAR2(14),",
        "  reference NUMBER(19),",
        "  remark    VARCHAR2(25)",
        ") PARTITION BY HASH (account) PARTITIONS " + partitions + ";",
        "",
        "# 2. The rows: about 165 bytes each in the format of step 3.",
        command("copy", "generate:unload?rows=" + rows, end, "--mode", "append"),
        "",
        "# 3. The unload: text and dates between ~~, dates as yyyymmddhhmmss, a length before each"
            + " record. Each partition has a file.",
        command(
            "copy",
            end,
            "hash_part.csv",
            "--format",
            "mtu",
            "--split-by",
            "partition",
            "--files",
            "per-split"),
        "",
        "# Which number of lanes is the best? The files are measured by one that is removed again.",
        command("sweep", end, "hash_part.csv", "--format", "mtu", "--vary", "lanes=1,2,4,8"));
  }

  private static String command(String... words) {
    return "millrace " + ShellWords.line(List.of(words));
  }
}
