package millrace.cli.command;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.EmitsJson;
import millrace.cli.ExitCode;
import millrace.cli.HelpText;
import millrace.cli.option.ConnectorOptions;
import millrace.cli.option.JobOptions;
import millrace.cli.option.ManyOptions;
import millrace.cli.option.MappingOptions;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.RetryOptions;
import millrace.cli.option.SelectionOptions;
import millrace.cli.show.DifferencesText;
import millrace.connectors.Connectors;
import millrace.copy.CopySpec;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.job.JobContext;
import millrace.job.JobSnapshot;
import millrace.job.LaneBudget;
import millrace.job.NameTemplate;
import millrace.job.NamedTables;
import millrace.job.TableTargets;
import millrace.job.TablesRequest;
import millrace.plan.Job;
import millrace.plan.mapping.AddedValue;
import millrace.plan.mapping.Mapping;
import millrace.plan.mapping.NewColumns;
import millrace.report.ReportJson;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import millrace.spi.catalog.TablePattern;
import millrace.spi.read.Selection;
import millrace.spi.write.WriteOptions;
import millrace.verify.Differences;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `millrace verify FROM TO`.
@Command(
    name = "verify",
    abbreviateSynopsis = true,
    description = {
      "Tells whether both sides hold the same rows, and if not, where they differ.",
      "The order of rows does not matter. Exit code 0 if they are the same, 1 if they differ."
    },
    footer = {
      "%nExamples:",
      "  millrace verify orders.csv prod:public.orders",
      "  millrace verify prod:orders headerless.csv                  columns pair up by position",
      "  millrace verify 'prod:public.*' 'test:public.*'             every table",
      "  millrace verify prod:orders 'duckdb:shop.db?table=orders' --key id",
      "  millrace verify orders.csv prod:orders --rejects bad.csv     but for what a copy set"
          + " aside",
      "  millrace verify prod:orders test:orders --where \"day >= '2026-01-01'\" --select id,amount"
    })
public final class VerifyCommand implements Callable<Integer>, EmitsJson {

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FROM", description = HelpText.END)
  private String from;

  @Parameters(index = "1", paramLabel = "TO", description = "The other side, likewise.")
  private String to;

  @Option(
      names = "--key",
      paramLabel = "A,B",
      description =
          "The columns that name a row, so that a changed row is shown as one; the primary key of"
              + " either side if not given.")
  private String key = "";

  @Mixin private SelectionOptions selection;
  @Mixin private MappingOptions mappingOptions;
  @Mixin private ManyOptions many;

  @Option(
      names = "--by-position",
      description =
          "Pair columns up by position, not by name. A file without a header needs no such word: it"
              + " takes the names of the other side.")
  private boolean byPosition;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "The file of bad records that a copy from FROM has made: they are left out of FROM.")
  private @Nullable String rejects;

  @Option(
      names = "--lanes",
      paramLabel = "N",
      description = "How many lanes read each side; one a processor, up to 8, if not given.")
  private @Nullable Integer lanes;

  @Mixin private RetryOptions patience;
  @Mixin private OutputOptions output;

  private final Context context;

  public VerifyCommand(Context context) {
    this.context = context;
  }

  @Override
  public @Nullable PrintStream json() {
    return output.json(context.console(), false);
  }

  @Override
  public Integer call() {
    List<Endpoint> ends;
    Comparison comparison;
    try {
      ends = ends();
      if (many.namesTables()
          || TablePattern.isIn(ends.getFirst())
          || NameTemplate.isTemplate(ends.getLast())) {
        return compareMany(ends);
      }
      many.refuseForOne();
      comparison = comparison(ends.getFirst(), ends.getLast(), null);
      if (rejects != null) {
        comparison.leavingOut(Endpoints.fileBeside(rejects).path());
      }
    } catch (Fault e) {
      context.keepRefused("verify", from, to, e);
      throw e;
    }
    Differences found = comparison.run(fault -> counts(ends, fault));
    print(found, ends.getFirst().labelWithTable(), ends.getLast().labelWithTable());
    return (found.same() ? ExitCode.OK : ExitCode.DIFFERENT).number();
  }

  private Comparison comparison(Endpoint one, Endpoint other, @Nullable Shared shared) {
    return new Comparison(
        context,
        output,
        new Comparison.Opening(patience.retryPolicy(), shared),
        job(one).with(mapping()),
        otherJob(other),
        JobOptions.names("--key", key));
  }

  /// Compares two tables without columns.
  ///
  /// @param fault thrown if they are something else, or columns or rows of them are asked for
  private Differences counts(List<Endpoint> ends, Fault.User fault) {
    boolean areTables = ends.stream().allMatch(end -> end.text("table").isPresent());
    if (areTables && selection.selection(Long.MAX_VALUE).isAll() && rejects == null) {
      JobContext jobs = context.jobs(new JobTeller(context, output));
      List<Long> rows =
          ends.stream()
              .flatMap(
                  end -> NamedTables.rowsWithoutColumns(jobs, patience.retryPolicy(), end).stream())
              .toList();
      if (rows.size() == 2) {
        return Differences.ofCounts(rows.getFirst(), rows.getLast());
      }
    }
    throw fault;
  }

  private int compareMany(List<Endpoint> ends) {
    if (rejects != null) {
      throw new Fault.User(
          "--rejects is of one table, and many are asked for.", "Compare that table by itself.");
    }
    JobContext jobs = context.jobs(new JobTeller(context, output));
    List<TableTargets.Pair> pairs = NamedTables.pairs(jobs, tables(ends));
    OpenContext opening = new OpenContext(Duration.ZERO, new Shared());
    context.stop().watch(_ -> opening.cancel());
    try (Shared shared = Objects.requireNonNull(opening.shared());
        JobSnapshot snapshot = snapshot(pairs, opening)) {
      return new ManyComparisons(
              context,
              output,
              (one, other) -> comparison(snapshot.end(one), other, shared),
              end ->
                  NamedTables.rowsWithoutColumns(jobs, patience.retryPolicy(), end)
                      .orElseThrow(() ->
                          new Fault.User(
                              end.labelWithTable() + " is no table without columns.",
                              "Compare the others.")))
          .run(pairs, many.failFast());
    }
  }

  private TablesRequest tables(List<Endpoint> ends) {
    Job job = job(ends.getFirst()).between(ends.getFirst(), ends.getLast());
    return new TablesRequest(
        CopySpec.of(job, patience.retryPolicy()),
        many.only(),
        many.excluded(),
        true,
        TablesRequest.Definitions.NONE,
        false);
  }

  /// The tables of the first side in one state, as far as its system can do that.
  private static JobSnapshot snapshot(List<TableTargets.Pair> pairs, OpenContext opening) {
    return JobSnapshot.take(
        Connectors.ALL,
        pairs.stream().map(pair -> pair.from().end()).toList(),
        JobSnapshot.Changes.NONE,
        LaneBudget.ofMachine().lanes(),
        opening);
  }

  private List<Endpoint> ends() {
    Endpoints endpoints = context.endpoints();
    return ConnectorOptions.apply(
        ConnectorOptions.given(spec), List.of(endpoints.parse(from), endpoints.parse(to)), false);
  }

  /// What a copy was asked to do to the columns of FROM.
  private Mapping mapping() {
    Mapping mapping = mappingOptions.mapping();
    if (mapping.newColumns() != NewColumns.ERROR || mapping.fitNames()) {
      throw new Fault.User(
          "--new-columns and --fit-names are for copies, which change their target.",
          "Leave them out; --rename and --drop say which columns are compared.");
    }
    if (mapping.added().containsValue(new AddedValue.Now())) {
      throw new Fault.User(
          "--add now() is the time of a copy, and nobody knows which one is meant.",
          "Compare without that column: --select names those that are compared.");
    }
    if (!mapping.renames().isEmpty() && selection.selection(Long.MAX_VALUE).where() != null) {
      throw new Fault.User(
          "--where is about columns of both sides, and --rename gives them different names.",
          "Compare without a condition.");
    }
    return mapping;
  }

  /// TO has the columns that are compared under their new names.
  private Job otherJob(Endpoint end) {
    Job job = job(end);
    Selection chosen = job.selection();
    return chosen.columns().isEmpty()
        ? job
        : job.with(chosen.withColumns(mapping().newNames(chosen.columns())));
  }

  private Job job(Endpoint end) {
    return new Job(
        end,
        end,
        selection.selection(Long.MAX_VALUE),
        new WriteOptions(null, false, List.of(), byPosition),
        new Job.Tuning(JobOptions.lanes(lanes), false, null, null, null),
        Job.RejectPolicy.NONE);
  }

  private void print(Differences found, String fromLabel, String toLabel) {
    if (output.quiet) {
      return;
    }
    PrintStream out = context.console().out();
    if (output.json) {
      out.println(ReportJson.event("differences", found));
      return;
    }
    DifferencesText.lines(found, fromLabel, toLabel).forEach(out::println);
  }
}
