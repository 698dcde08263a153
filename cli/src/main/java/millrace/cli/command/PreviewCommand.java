package millrace.cli.command;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.HelpText;
import millrace.cli.option.ConnectorOptions;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.SelectionOptions;
import millrace.cli.show.PreviewTarget;
import millrace.connectors.Connectors;
import millrace.copy.Copy;
import millrace.copy.EndOpener;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.endpoint.Endpoints;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.meter.Meter;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.report.DisplayWidth;
import millrace.report.ReportText;
import millrace.report.TextTable;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `millrace preview FROM`.
@Command(
    name = "preview",
    abbreviateSynopsis = true,
    description = "Shows columns, types, the first rows, and the statement that makes a table.",
    footer = {
      "%nExamples:",
      "  millrace preview orders.csv",
      "  millrace preview orders.csv --delimiter ';' --first 3",
      "  millrace preview orders.csv --to prod:public.orders      the statement for that target",
      "  millrace preview prod:public.orders --select id,amount --where \"amount > 100\""
    })
public final class PreviewCommand implements Callable<Integer> {

  private static final int CELL_CELLS_MAX = 32;

  /// More columns would only wrap.
  private static final int COLUMNS_MAX = 24;

  private static final int ROWS_MAX = 1000;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FROM", description = HelpText.END)
  private String from;

  @Option(
      names = "--to",
      paramLabel = "TO",
      description = "Show the statement that this target would get.")
  private @Nullable String to;

  @Option(names = "--first", paramLabel = "N", description = "How many rows; 10 if not given.")
  private int first = 10;

  @Mixin private SelectionOptions selection;

  private final Context context;
  private final EndOpener endOpener;

  public PreviewCommand(Context context) {
    this.context = context;
    endOpener = context.endOpener(RetryPolicy.NONE, new OutputOptions());
  }

  @Override
  public Integer call() {
    if (first < 0 || first > ROWS_MAX) {
      throw new Fault.User(
          "--first " + first + " is not from 0 to " + ROWS_MAX + ".", "To see more, copy to -.");
    }
    Endpoints endpoints = context.endpoints();
    List<Endpoint> ends = new ArrayList<>(List.of(endpoints.parse(from)));
    if (to != null) {
      ends.add(endpoints.parse(to));
    }
    ends = ConnectorOptions.apply(ConnectorOptions.given(spec), ends, ends.size() > 1);
    Schema schema = show(ends.getFirst());
    PrintStream out = context.console().out();
    if (ends.size() > 1) {
      ddlOf(ends.getFirst(), ends.getLast()).forEach(out::println);
    } else {
      neutralDdl(tableName(ends.getFirst()), schema).forEach(out::println);
    }
    return ExitCode.OK.number();
  }

  private Schema show(Endpoint end) {
    PreviewTarget target = new PreviewTarget(first);
    Selection shown = selection.selection(first);
    // Bad records are counted and passed over: who looks wants to see the good ones too.
    Job job =
        new Job(
            end,
            end,
            shown,
            WriteOptions.DEFAULT,
            new Job.Tuning(1, true, null, null, null),
            new Job.RejectPolicy(Long.MAX_VALUE, null));
    try (Source source = endOpener.source(end, shown)) {
      Planned planned = endOpener.plan(job, source, target);
      Plan plan = planned.plan();
      Run run = Copy.between(planned, RunOptions.DEFAULT);
      context.stop().watch(run::cancel);
      run.execute().orThrow();
      Schema schema = plan.writePlan().schema();
      print(plan.source(), schema, target, run.meter());
      return schema;
    }
  }

  private void print(SourceDescription source, Schema schema, PreviewTarget target, Meter meter) {
    PrintStream out = context.console().out();
    out.println(source.label() + size(source));
    if (!source.reading().as().isEmpty()) {
      out.println("read as " + source.reading().as());
    }
    out.println();
    columns(schema).lines().forEach(out::println);
    source.reading().notes().forEach(note -> out.println("note  " + note));
    out.println();
    rows(schema, target.rows()).forEach(out::println);
    if (meter.rejects() > 0) {
      out.println();
      out.printf(
          Locale.ROOT,
          "Bad records were passed over: %,d; a copy stops at the first:%n  %s%n",
          meter.rejects(),
          PreviewTarget.visible(meter.firstReject()));
    }
  }

  private static String size(SourceDescription source) {
    StringBuilder size = new StringBuilder();
    if (source.size().rows() >= 0) {
      size.append(String.format(Locale.ROOT, ", about %,d rows", source.size().rows()));
    }
    if (source.size().bytes() >= 0) {
      size.append(", ").append(ReportText.size(source.size().bytes()));
    }
    return size.toString();
  }

  private static TextTable columns(Schema schema) {
    TextTable table = new TextTable(List.of("column", "type", "notes"));
    for (Column column : schema.columns()) {
      List<String> notes = new ArrayList<>();
      if (!column.nullable()) {
        notes.add("not null");
      }
      if (schema.key().contains(column.name())) {
        notes.add("key");
      }
      table.row(
          List.of(
              PreviewTarget.visible(column.name()),
              column.declaration(),
              String.join(", ", notes)));
    }
    return table;
  }

  private static List<String> rows(Schema schema, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return List.of("No rows.");
    }
    List<Column> shown = schema.columns().subList(0, Math.min(COLUMNS_MAX, schema.width()));
    TextTable table =
        new TextTable(
            shown.stream()
                .map(column -> (isNumber(column.type()) ? ">" : "") + cell(column.name()))
                .toList());
    for (List<String> row : rows) {
      table.row(row.subList(0, shown.size()).stream().map(PreviewCommand::cell).toList());
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (shown.size() < schema.width()) {
      lines.add(
          "… and " + (schema.width() - shown.size()) + " more columns; --select shows others.");
    }
    return lines;
  }

  private static String cell(String text) {
    return DisplayWidth.cut(PreviewTarget.visible(text), CELL_CELLS_MAX);
  }

  private static boolean isNumber(Type type) {
    return switch (type) {
      case Type.Numeric _ -> true;
      case Type.Bool _, Type.Temporal _, Type.Uuid _, Type.Textual _, Type.Bytes _ -> false;
    };
  }

  /// What a target holds already does not matter here: rows are added, or take its place if it
  /// can't be added to.
  private WriteOptions anyhow(Endpoint target) {
    WriteOptions adds = new WriteOptions(Mode.APPEND, false, List.of(), false);
    try (Target looked = endOpener.target(target, adds)) {
      return looked.describe().description().modes().refused().containsKey(Mode.APPEND)
          ? new WriteOptions(Mode.REPLACE, false, List.of(), false)
          : adds;
    }
  }

  private List<String> ddlOf(Endpoint source, Endpoint target) {
    Job job =
        new Job(
            source,
            target,
            selection.selection(Long.MAX_VALUE),
            anyhow(target),
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE);
    try (Source reading = endOpener.source(source, job.selection());
        Target writing = endOpener.target(target, job.writeOptions())) {
      Plan plan = endOpener.plan(job, reading, writing).plan();
      List<String> lines = new ArrayList<>(List.of("", "-- " + plan.target().label()));
      plan.writePlan().notes().forEach(note -> lines.add("-- " + note));
      lines.add(
          plan.writePlan().ddl().isEmpty()
              ? "-- It needs no statement."
              : plan.writePlan().ddl().strip());
      return lines;
    }
  }

  private static List<String> neutralDdl(String table, Schema schema) {
    List<String> lines = new ArrayList<>();
    for (Connector connector : Connectors.ALL.all()) {
      try {
        String ddl = connector.ddl(table, schema).strip();
        if (!ddl.isEmpty()) {
          lines.addAll(List.of("", "-- " + connector.name(), ddl));
        }
      } catch (Fault.User fault) {
        lines.addAll(List.of("", "-- " + connector.name() + ": " + fault.getMessage()));
      }
    }
    return lines;
  }

  /// A name for the table: that of the source's own, or of its file.
  private static String tableName(Endpoint end) {
    String location = end.location();
    String file = location.substring(location.lastIndexOf('/') + 1);
    int dot = file.indexOf('.');
    String ofFile = dot < 0 ? file : file.substring(0, dot);
    String name = end.text("table").map(PreviewCommand::withoutSchema).orElse(ofFile);
    name = name.replaceAll("[^\\p{L}\\p{N}_]+", "_");
    return name.isEmpty() || name.equals("_") ? "rows" : name;
  }

  private static String withoutSchema(String table) {
    return table.substring(table.lastIndexOf('.') + 1);
  }
}
