package millrace.job;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.job.file.JobDescription;
import millrace.job.file.JobStream;
import millrace.plan.Job;
import millrace.resume.ResumeChoice;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableEntry;
import org.jspecify.annotations.Nullable;

/// What a job is about to do. Nothing has been changed so far; {@link JobRun} carries it out.
///
/// @param copies those that are to be made, also those that an earlier run of the job has done
/// @param budget how many lanes they share
/// @param ledger what earlier runs of the job have done
/// @param definitions what is done beside the rows
/// @param failFast whether the first copy that fails stops the others
/// @param file what the job file asks for; {@link JobDescription#NONE} if there is none
public record JobPlan(
    JobContext context,
    List<TableCopy> copies,
    LaneBudget budget,
    JobLedger ledger,
    DefinitionSteps definitions,
    boolean failFast,
    JobDescription file) {

  public JobPlan {
    copies = List.copyOf(copies);
  }

  /// A copy of many tables.
  ///
  /// @throws Fault.User if it makes no sense
  public static JobPlan of(JobContext context, TablesRequest request, boolean failFast) {
    List<TableCopy> copies =
        NamedTables.pairs(context, request).stream()
            .map(pair ->
                new TableCopy(pair.from().label(), request.spec(pair), pair.from(), JobStream.NONE))
            .toList();
    Job first = copies.getFirst().spec().job();
    int lanes = first.tuning().lanes();
    LaneBudget budget = lanes > 0 ? new LaneBudget(lanes, false) : LaneBudget.ofMachine();
    JobLedger ledger =
        JobLedger.open(
            context.ledgers(),
            TableCopy.identity(request.from(), request.to()),
            Digest.of(TableCopy.rows(first)).hex(),
            isResumed(copies));
    DefinitionSource source = DefinitionSource.of(context, ledger, copies, request.extent());
    if (request.grants() && !source.found().whole()) {
      context.listener().says("--grants brings nothing: a whole database does not come along.");
    }
    return new JobPlan(
        context,
        copies,
        shareFile(context, copies) ? budget.oneAtATime() : budget,
        ledger,
        new DefinitionSteps(ledger, source),
        failFast,
        JobDescription.NONE);
  }

  /// A job file.
  ///
  /// @param options reads what its streams ask for
  /// @param only names of streams or tables that are meant alone; all if empty
  /// @param lanes how many lanes work at once in all; 0 if nobody says
  /// @throws Fault.User if something in it can't be done
  public static JobPlan of(
      JobContext context,
      JobDescription file,
      StreamOptions options,
      List<String> only,
      int lanes,
      boolean failFast) {
    List<TableCopy> planned = StreamPlan.copies(context, file, options, only);
    JobLedger ledger =
        JobLedger.open(
            context.ledgers(),
            "run\n" + Path.of(file.file()).toAbsolutePath().normalize(),
            "",
            isResumed(planned),
            entry ->
                only.isEmpty()
                    || planned.stream()
                        .anyMatch(copy ->
                            JobLedger.isOf(entry, copy) || JobHooks.isAfter(entry, copy.stream())));
    List<TableCopy> copies = planned.stream().map(ledger::named).toList();
    return new JobPlan(
        context,
        copies,
        budget(context, copies, lanes),
        ledger,
        new DefinitionSteps(
            ledger,
            DefinitionSource.of(
                context,
                ledger,
                copies,
                new DefinitionSource.Extent(TableDefinitions.Scope.TABLES, true))),
        failFast,
        file);
  }

  /// All copies with their lanes, in the order in which they begin. Tables that are made before all
  /// rows keep the order in which they are made, also by an earlier run: rows may need those of an
  /// earlier one.
  List<LaneBudget.Share> shares() {
    List<String> made = List.copyOf(ledger.owed().keySet());
    return budget.shares(copies).stream()
        .sorted(Comparator.comparingInt(share -> place(made, share.copy().name())))
        .toList();
  }

  private int place(List<String> made, String table) {
    int earlier = made.indexOf(table);
    int place = definitions.place(table);
    return earlier >= 0 ? earlier : place < 0 ? place : made.size() + place;
  }

  private static boolean isResumed(List<TableCopy> copies) {
    return copies.getFirst().spec().resume() == ResumeChoice.RESUME;
  }

  private static LaneBudget budget(JobContext context, List<TableCopy> copies, int lanes) {
    // One alone finds its lanes as any copy does.
    boolean alone = copies.size() == 1 || shareFile(context, copies);
    int all = lanes > 0 ? lanes : LaneBudget.ofMachine().lanes();
    if (alone && lanes > 0) {
      return new LaneBudget(all, true);
    }
    int most = copies.stream().mapToInt(copy -> copy.spec().job().tuning().lanes()).max().orElse(0);
    // A stream that asks for as many as there are is no longer told from one that leaves it to us.
    return new LaneBudget(most >= all ? most + 1 : all, alone);
  }

  /// Whether several copies go into one file: one after the other, since it has one writer.
  private static boolean shareFile(JobContext context, List<TableCopy> copies) {
    Set<Path> files = new HashSet<>();
    boolean shared = false;
    for (TableCopy copy : copies) {
      for (Path path : context.connectors().of(copy.to()).place(copy.to()).paths()) {
        shared |= !files.add(path);
      }
    }
    return shared;
  }

  /// Sees to it that there is a folder for each file that is written, and a schema for each table,
  /// unless the job or a hook of a stream may still make it.
  ///
  /// @throws Fault.User if one is not there or can't be written
  public void checkPlaces() {
    if (copies.stream().map(TableCopy::stream).noneMatch(JobStream::hasHooks)) {
      TargetFolders.check(context.connectors(), copies);
      DefinitionLines lines = definitions.lines();
      TargetSchemas.check(
          context.connectors(),
          copies.stream()
              .filter(copy -> done(copy) == null && !lines.waitsForSchema(copy))
              .toList());
    }
  }

  /// Whether a table has no value that could be copied to where it goes.
  public boolean isBare(TableCopy copy) {
    String kind = copy.entry().kind();
    return kind.equals(TableEntry.NO_COLUMNS)
        || (kind.equals(TableEntry.COMPUTED) && context.sameSystem(copy.from(), copy.to()));
  }

  /// Writes down that the copy of such a table is done.
  TableResult endBare(TableCopy copy, long nanos) {
    TableResult result = TableResult.bare(copy, definitions.makes(copy.name()), nanos);
    ledger.add(JobLedger.Done.now(copy.name(), result.rows(), 0));
    return result;
  }

  /// What an earlier run of the job has done of a copy; null if the copy is to be made. The only
  /// place that says so before its target is opened.
  public JobLedger.@Nullable Done done(TableCopy copy) {
    return ledger.done(copy.name());
  }
}
