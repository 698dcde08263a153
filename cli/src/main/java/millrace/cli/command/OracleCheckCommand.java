package millrace.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.check.OracleCheck;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `millrace oracle-check SERVER`.
@Command(
    name = "oracle-check",
    abbreviateSynopsis = true,
    description = {
      "Tries all of Millrace on an Oracle server, and prints a report.",
      "It makes tables of its own in the user's schema, named millrace_…, and drops them."
    },
    footer = {
      "%nExamples:",
      "  millrace oracle-check oracle://me@host:1521/FREEPDB1",
      "  millrace oracle-check prod --hide-host > report.txt",
      "  millrace oracle-check --print-sql > oracle.sql"
    })
public final class OracleCheckCommand implements Callable<Integer> {

  private static final String SCHEME = "oracle";

  /// Written by a test, of what a stand-in for a server is sent.
  private static final String SCRIPT = "oracle-check.sql";

  private static final int ROWS_MIN = 100;
  private static final Pattern HOST = Pattern.compile("//(?:[^@/]*@)?([^:/?]*)");

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SERVER",
      description = "oracle://user@host:port/service, or the name of a connection.")
  private @Nullable String text;

  @Option(
      names = "--print-sql",
      description =
          "Print all statements as a script for a worksheet, and try nothing. Needs no SERVER.")
  private boolean printSql;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "How many rows most parts move, 100 or more; 10000 if not given.")
  private long rows = 10_000;

  @Option(names = "--hide-host", description = "Leave the server's name out of the report.")
  private boolean hideHost;

  private final Context context;

  public OracleCheckCommand(Context context) {
    this.context = context;
  }

  @Override
  public Integer call() throws IOException {
    if (printSql) {
      try (InputStream script = OracleCheckCommand.class.getResourceAsStream(SCRIPT)) {
        Objects.requireNonNull(script, SCRIPT).transferTo(context.console().out());
      }
      return ExitCode.OK.number();
    }
    if (text == null) {
      throw new Fault.User("No server is given.", "Write oracle://user@host:port/service.");
    }
    if (rows < ROWS_MIN) {
      throw new Fault.User("--rows " + rows + " is below 100.", "Write 100 or more.");
    }
    Endpoint end = context.endpoints().parse(text);
    if (!end.scheme().equals(SCHEME)) {
      throw new Fault.User(
          end.label() + " is no Oracle server.", "Write oracle://user@host:port/service.");
    }
    context.stop().endItself();
    context.console().err().println("This takes some minutes ...");
    OracleCheck check = new OracleCheck(context, end, rows);
    check.run();
    PrintStream out = context.console().out();
    lines(end, check).map(line -> shown(line, end)).forEach(out::println);
    return (check.failed() ? ExitCode.DIFFERENT : ExitCode.OK).number();
  }

  private Stream<String> lines(Endpoint end, OracleCheck check) {
    return Stream.concat(
        Stream.concat(
            Stream.of("address   " + end.label()),
            Arrays.stream(spec.root().version()).map("version   "::concat)),
        check.lines().stream());
  }

  /// No password is in any line; the server's name is not if the user does not want it there.
  private String shown(String line, Endpoint end) {
    String safe = Endpoints.redact(line);
    Matcher host = HOST.matcher(end.location());
    return hideHost && host.find() && !host.group(1).isEmpty()
        ? safe.replace(host.group(1), "HOST")
        : safe;
  }
}
