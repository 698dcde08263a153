package millrace.cli.command;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.EmitsJson;
import millrace.cli.ExitCode;
import millrace.cli.HelpText;
import millrace.cli.option.ConnectorOptions;
import millrace.cli.option.ManyOptions;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.RetryOptions;
import millrace.job.NamedTables;
import millrace.job.TableTargets;
import millrace.report.ReportJson;
import millrace.report.TextTable;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableEntry;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `millrace tables FROM`.
@Command(
    name = "tables",
    abbreviateSynopsis = true,
    description = "Lists tables: names, estimated rows and bytes, keys.",
    footer = {
      "%nExamples:",
      "  millrace tables 'prod:public.*'",
      "  millrace tables duckdb:shop.db",
      "  millrace tables 'in/*.csv'"
    })
public final class TablesCommand implements Callable<Integer>, EmitsJson {

  private static final String UNKNOWN = "?";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FROM", description = HelpText.END)
  private String from;

  @Mixin private ManyOptions many;
  @Mixin private RetryOptions retry;
  @Mixin private OutputOptions output;

  private final Context context;

  public TablesCommand(Context context) {
    this.context = context;
  }

  @Override
  public @Nullable PrintStream json() {
    return output.json(context.console(), false);
  }

  @Override
  public Integer call() {
    Endpoint end =
        ConnectorOptions.apply(
                ConnectorOptions.given(spec), List.of(context.endpoints().parse(from)), false)
            .getFirst();
    List<TableEntry> list =
        NamedTables.list(
            context.jobs(new JobTeller(context, output)),
            retry.retryPolicy(),
            end,
            "See what it gives: millrace preview.");
    print(TableTargets.chosen(list, end, many.only(), many.excluded()));
    return ExitCode.OK.number();
  }

  private void print(List<TableEntry> entries) {
    PrintStream out = context.console().out();
    if (output.json) {
      entries.forEach(entry -> out.println(ReportJson.event("table", json(entry))));
      return;
    }
    TextTable table = new TextTable(List.of("table", ">rows about", ">bytes about", "key"));
    entries.forEach(entry ->
        table.row(
            List.of(
                entry.label(),
                number(entry.rows()),
                number(entry.bytes()),
                String.join(", ", entry.key()))));
    table.lines().forEach(out::println);
  }

  /// What is told to programs; the end may hold more than they need.
  private record TableJson(
      String schema, String table, String kind, long rows, long bytes, List<String> key) {}

  private static TableJson json(TableEntry entry) {
    return new TableJson(
        entry.schema(), entry.name(), entry.kind(), entry.rows(), entry.bytes(), entry.key());
  }

  private static String number(long number) {
    return number < 0 ? UNKNOWN : String.format(Locale.ROOT, "%,d", number);
  }
}
