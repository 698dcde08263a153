package millrace.cli.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import millrace.cli.Context;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.io.Folders;
import millrace.plan.FaultMessage;
import millrace.plan.ShellWords;
import millrace.spi.Endpoint;

/// All that Millrace does with an Oracle server, tried on a user's own: what arrives is compared
/// with what should, and no table is left behind. One thread.
public final class OracleCheck {

  /// Made by copies beside their targets.
  private static final List<String> WORK_TABLES = List.of("MILLRACE_LOCK", "MILLRACE_JOURNAL");

  private final Findings findings = new Findings();
  private final Context context;
  private final Endpoint end;
  private final long rows;
  private final List<String> server = new ArrayList<>();
  private final List<String> counters = new ArrayList<>();
  private final List<String> byHand = new ArrayList<>();

  /// @param end the server; which table it names does not matter
  /// @param rows how many rows most parts move
  public OracleCheck(Context context, Endpoint end, long rows) {
    this.context = context;
    this.end = end;
    this.rows = rows;
  }

  /// Tries everything. What does not work is told by the {@link #lines}.
  ///
  /// @throws Fault if the server can't be reached
  public void run() {
    Path folder = folder();
    try {
      try (CheckedServer checked = new CheckedServer(context, end)) {
        run(checked, folder);
      } catch (Fault.Cancelled e) {
        for (Throwable left : e.getSuppressed()) {
          context.console().err().println("millrace: " + Endpoints.redact("" + left.getMessage()));
        }
        throw e;
      } catch (Fault e) {
        if (server.isEmpty()) {
          throw e;
        }
        findings.check(
            "cleaning up",
            () -> {
              throw new Findings.WrongResultException(FaultMessage.of(e));
            });
      }
    } finally {
      remove(folder);
    }
  }

  private void run(CheckedServer checked, Path folder) {
    server.add("server    " + checked.value("SELECT banner FROM v$version WHERE ROWNUM = 1"));
    server.add("driver    " + driver());
    String charset =
        "SELECT value FROM nls_database_parameters WHERE parameter = 'NLS_CHARACTERSET'";
    String parameter = "SELECT value FROM v$parameter WHERE name = '%s'";
    server.add("charset   " + known(checked, charset));
    server.add("cluster   " + known(checked, parameter.formatted("cluster_database")));
    server.add("compatible " + known(checked, parameter.formatted("compatible")));
    server.add("force logging " + known(checked, "SELECT force_logging FROM v$database"));
    List<String> absent = absent(checked);
    boolean may =
        findings.check(
            "a table of one's own",
            () -> {
              checked.drop(checked.declared("first", " (id NUMBER(9))"));
              return "made and dropped";
            });
    if (!may) {
      return;
    }
    absent.forEach(checked::alsoDropIfEmpty);
    CheckedLoads loads = new CheckedLoads(checked, findings, rows);
    CheckedTypes types = new CheckedTypes(checked, findings, folder);
    types.find();
    for (WayOfWriting way : WayOfWriting.of(checked)) {
      loads.way(way);
      types.check(way);
    }
    loads.modes();
    loads.unload(folder);
    loads.resume(folder);
    new CheckedTables(checked, findings, folder, rows).check();
    CheckedCounters costs = new CheckedCounters(checked, findings, rows);
    costs.check();
    counters.addAll(costs.lines());
    byHand.addAll(killByHand());
  }

  /// A process that is killed while its staged rows appear: no check can do that to itself.
  private List<String> killByHand() {
    String others =
        end.parameters().entrySet().stream()
            .filter(each -> !List.of("table", "query").contains(each.getKey()))
            .map(each -> "&" + each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining());
    String table = end.label() + "?table=millrace_kill" + others;
    String made = "generate:tokens?rows=";
    List<String> load =
        List.of("copy", made + 5_000_000, table, "--mode", "append", "--atomic", "--resume");
    return List.of(
        "Not tried: a copy that is killed at its finish. By hand, with a second window for the"
            + " kill:",
        command(List.of("copy", made + 0, table, "--mode", "create")),
        command(load),
        "  as soon as that says \"insert rows\":  pkill -9 -f table=millrace_kill",
        "  the same again; it goes on, and no row is lost or there twice if both sides are the"
            + " same:",
        command(load),
        command(List.of("verify", made + 5_000_000, table)),
        "  at last, in SQL:  DROP TABLE millrace_kill PURGE;");
  }

  private static String command(List<String> words) {
    return "    millrace " + ShellWords.line(words);
  }

  /// What a user may need a right to see.
  private static String known(CheckedServer checked, String sql) {
    try {
      return checked.value(sql);
    } catch (Fault.User e) {
      return "not known: " + e.getMessage();
    }
  }

  /// What copies make beside their targets, and is not there yet.
  private static List<String> absent(CheckedServer checked) {
    return WORK_TABLES.stream().filter(name -> !isThere(checked, name)).toList();
  }

  private static boolean isThere(CheckedServer checked, String table) {
    String sql = "SELECT COUNT(*) AS n FROM user_tables WHERE table_name = '" + table + "'";
    return !checked.value(sql).equals("0");
  }

  /// The driver's version, which its own package tells once it is loaded.
  private static String driver() {
    return Arrays.stream(Package.getPackages())
        .filter(each -> each.getName().equals("oracle.jdbc"))
        .map(each ->
            "Oracle " + each.getImplementationTitle() + " " + each.getImplementationVersion())
        .findFirst()
        .orElse("unknown");
  }

  /// The report.
  public List<String> lines() {
    List<String> lines = new ArrayList<>(server);
    lines.add("");
    lines.addAll(findings.lines());
    if (!counters.isEmpty()) {
      lines.add("");
      lines.addAll(counters);
    }
    if (!byHand.isEmpty()) {
      lines.add("");
      lines.addAll(byHand);
    }
    return lines;
  }

  /// Whether something did not do what it should.
  public boolean failed() {
    return findings.anyFailed();
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("millrace-check");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) {
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
