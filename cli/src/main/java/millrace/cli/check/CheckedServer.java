package millrace.cli.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import millrace.cli.Context;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.PreviewTarget;
import millrace.connectors.Connectors;
import millrace.copy.Copy;
import millrace.copy.CopyJournal;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.copy.EndOpener;
import millrace.copy.ScratchName;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Planned;
import millrace.report.Report;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Scratch;
import millrace.spi.StatementRunner;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.WriteOptions;
import millrace.verify.Differences;
import millrace.verify.Verify;

/// A user's server that is checked: scratch tables are made there, filled by copies, looked into by
/// queries, and dropped in the end. One thread.
final class CheckedServer implements AutoCloseable {

  private static final int ROWS_MAX = 1000;

  private final Context context;
  private final Endpoint base;
  private final Scratch scratches;
  private final StatementRunner statements;
  private final EndOpener endOpener;
  private final Deque<Endpoint> made = new ArrayDeque<>();
  private final List<Endpoint> workTables = new ArrayList<>();

  /// @param base the server; which table it names does not matter
  CheckedServer(Context context, Endpoint base) {
    this.context = context;
    Map<String, String> parameters = new HashMap<>(base.parameters());
    parameters.keySet().removeAll(List.of("table", "query"));
    this.base = new Endpoint(base.scheme(), base.location(), parameters, base.secret());
    scratches = Objects.requireNonNull(Connectors.ALL.of(base).capability(Scratch.class));
    statements = Objects.requireNonNull(Connectors.ALL.of(base).capability(StatementRunner.class));
    endOpener = context.endOpener(RetryPolicy.NONE, new OutputOptions());
  }

  /// Whether the connector has an option of that name.
  boolean hasOption(String name) {
    return Connectors.ALL.of(base).options().stream().anyMatch(o -> o.name().equals(name));
  }

  /// A table that is not there yet, and will not be there afterwards.
  Endpoint scratch(String purpose) {
    Endpoint scratch =
        Objects.requireNonNull(scratches.scratch(base, ScratchName.of(purpose)), "a server has it");
    made.push(scratch);
    return scratch;
  }

  /// A table that is there.
  ///
  /// @param definition what follows the name in CREATE TABLE
  Endpoint declared(String purpose, String definition) {
    Endpoint scratch = scratch(purpose);
    run("CREATE TABLE " + table(scratch) + definition);
    return scratch;
  }

  /// Carries out a statement.
  void run(String sql) {
    statements.run(base, List.of(sql), new OpenContext());
  }

  /// What a copy makes beside its target is dropped in the end, too, unless somebody else uses it
  /// by then.
  void alsoDropIfEmpty(String table) {
    workTables.add(Objects.requireNonNull(scratches.scratch(base, table), "a server has it"));
  }

  static Endpoint with(Endpoint end, Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(end.parameters());
    all.putAll(parameters);
    return new Endpoint(end.scheme(), end.location(), all, end.secret());
  }

  /// The name of a scratch table, as SQL has it.
  static String table(Endpoint scratch) {
    return scratch.text("table").orElseThrow();
  }

  /// Copies, and keeps nothing of it but the report.
  ///
  /// @throws Fault if it fails
  Report copy(Job job) {
    return ended(Copy.trial(context.copies(), CopySpec.of(job, RetryPolicy.NONE), listener()));
  }

  /// Copies with receipts, so that it can be gone on with.
  ///
  /// @throws Fault if it can't begin
  CopyResult resumable(Job job, ResumeChoice choice, CopyListener listener) {
    CopySpec spec = new CopySpec(job, choice, RetryPolicy.NONE, CopySpec.Measures.NONE);
    return Copy.run(context.copies(), spec, listener);
  }

  private CopyListener listener() {
    return new CopyListener() {
      @Override
      public void stoppedBy(Consumer<String> cancel) {
        context.stop().watch(cancel);
      }
    };
  }

  private static Report ended(CopyResult result) {
    Fault fault = result.fault();
    if (fault != null) {
      throw fault;
    }
    return result.report();
  }

  /// Takes away what says that copies into a table are complete.
  void forgetCopies(Endpoint table) {
    try (CopyJournal journal = Copy.journal(endOpener, table)) {
      journal.prune();
    }
  }

  /// The rows of a query on the server, as text; `NULL` for what is missing.
  List<List<String>> query(String sql) {
    return query(sql, run -> context.stop().watch(run::cancel));
  }

  private List<List<String>> query(String sql, Consumer<Run> begins) {
    Endpoint end = with(base, Map.of("query", sql));
    PreviewTarget target = new PreviewTarget(ROWS_MAX);
    Job job = job(end, end);
    try (Source source = endOpener.source(end, job.selection())) {
      Planned planned = endOpener.plan(job, source, target);
      Run run = Copy.between(planned, RunOptions.DEFAULT);
      begins.accept(run);
      run.execute().orThrow();
      return target.rows();
    }
  }

  /// The one value of a query.
  String value(String sql) {
    return query(sql).getFirst().getFirst();
  }

  /// Fails unless both hold the same rows.
  void same(Endpoint one, Endpoint other) {
    Verify verify = new Verify(side(one), side(other), List.of(), RetryPolicy.NONE);
    context.stop().watch(verify::cancel);
    Differences found = verify.execute();
    if (!found.same()) {
      throw new Findings.WrongResultException(
          "%d rows became %d, and columns differ: %s; %s"
              .formatted(
                  found.fromRows(),
                  found.toRows(),
                  String.join(", ", found.columns()),
                  found.differing().rows().stream().limit(1).toList()));
    }
  }

  private Verify.Side side(Endpoint end) {
    Job job = job(end, end);
    return new Verify.Side(job, () -> endOpener.source(end, job.selection()));
  }

  /// All rows, as they come.
  static Job job(Endpoint from, Endpoint to) {
    return new Job(
        from, to, Selection.ALL, WriteOptions.DEFAULT, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
  }

  /// A table of rows that are made here.
  ///
  /// @param shape of {@code generate:}
  static Endpoint made(String shape, long rows) {
    return new Endpoint(
        "generate", shape, Map.of("rows", String.valueOf(rows)), millrace.spi.Secret.NONE);
  }

  /// Drops one of the tables before the end.
  void drop(Endpoint scratch) {
    scratches.discard(scratch);
    made.remove(scratch);
  }

  /// Drops all that is left.
  ///
  /// @throws Fault if one can't be dropped; the others are
  @Override
  public void close() {
    List<Fault> faults = new ArrayList<>();
    while (!made.isEmpty()) {
      Endpoint next = made.pop();
      attempt(() -> scratches.discard(next), faults);
    }
    workTables.forEach(table -> attempt(() -> discardIfEmpty(table), faults));
    if (!faults.isEmpty()) {
      Fault first = faults.removeFirst();
      faults.forEach(first::addSuppressed);
      throw first;
    }
  }

  private static void attempt(Runnable cleaning, List<Fault> faults) {
    try {
      cleaning.run();
    } catch (Fault e) {
      faults.add(e);
    }
  }

  /// The user may have stopped the check by now: nothing stops this.
  private void discardIfEmpty(Endpoint table) {
    String sql =
        "SELECT COUNT(*) AS n FROM user_tables WHERE table_name = '"
            + table(table).replace("\"", "")
            + "'";
    if (query(sql, _ -> {}).getFirst().getFirst().equals("0")) {
      return;
    }
    String rows = "SELECT COUNT(*) AS n FROM " + table(table);
    String count = query(rows, _ -> {}).getFirst().getFirst();
    if (!count.equals("0")) {
      throw new Fault.External(
          "The table " + table(table) + " is left behind: it has " + count + " rows.",
          "If no other copy runs there, drop it: DROP TABLE " + table(table) + ";",
          null);
    }
    scratches.discard(table);
  }
}
