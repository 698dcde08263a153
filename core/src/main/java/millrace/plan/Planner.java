package millrace.plan;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.mapping.MappedColumn;
import millrace.plan.mapping.NewColumns;
import millrace.spi.TuningHint;
import millrace.spi.journal.JournaledRun;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.ColumnAdder;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Turns a job and what both ends say of themselves into a plan. Changes nothing at either end.
public final class Planner {

  /// Large enough that a split's own cost is lost in it, small enough that the lanes finish
  /// together.
  private static final long SPLIT_BYTES = 16L << 20;

  /// If splits wait in memory for their turn in one output.
  private static final long JOINED_SPLIT_BYTES = 4L << 20;

  private Planner() {}

  /// Makes the plan of a job that begins from the start.
  ///
  /// @throws Fault.User if the job can't be done as asked
  public static Planned plan(Job job, Source source, Target target) {
    return plan(job, describe(job, source, target), null);
  }

  /// Asks both ends what they are.
  ///
  /// @throws Fault.User if one of them is missing or can't be understood
  public static DescribedEnds describe(Job job, Source source, Target target) {
    DescribedTarget to = target.describe();
    ColumnRequest columnRequest = ColumnChoice.wanted(job, to.description(), Map.of());
    DescribedSource from = source.describe(columnRequest);
    Map<String, String> cut =
        ColumnChoice.cut(job, from.description(), columnRequest, to.description());
    if (columnRequest instanceof ColumnRequest.Like && !cut.isEmpty()) {
      if (job.from().isStandardStream()) {
        throw new Fault.User(
            "Standard input can be read once, and names that are cut are known when it has been"
                + " looked at: types of the table's columns come too late for it.",
            "Give these columns their names by --rename: "
                + NameList.spelled(List.copyOf(cut.keySet()), ", "));
      }
      columnRequest = ColumnChoice.wanted(job, to.description(), cut);
      from = source.describe(columnRequest);
    }
    return new DescribedEnds(source, target, columnRequest, from, to);
  }

  /// Makes the plan.
  ///
  /// @param resumed the run that this one goes on with, be it complete; or null
  /// @throws Fault.User if the job can't be done as asked
  public static Planned plan(Job job, DescribedEnds described, @Nullable JournaledRun resumed) {
    Plan.Ends ends = described.descriptions();
    SourceDescription from = ends.source();
    Schema passed = ends.passed();
    List<MappedColumn> mapped = ColumnChoice.mapped(job, from, passed, ends.target());
    Schema incoming =
        ColumnChoice.requested(
            job,
            job.mapping().schema(passed, mapped),
            mapped,
            ends.target().existing(job.writeOptions()));
    Mode mode = ModeChoice.settle(described.to(), job.writeOptions(), resumed);
    boolean isRetained = isRetained(described.to(), incoming, mode, resumed);
    MergeSteps steps = steps(job, ends.target(), mode);
    Pairing pairing = pairing(job, ends.target(), incoming, mode, isRetained);
    checkCanAdd(job, described, pairing, isRetained);
    Schema taken = Pairing.taken(incoming, pairing.taken());
    List<String> key =
        mode == Mode.MERGE
            ? MergeKey.settle(ends.target(), job.writeOptions(), taken, pairing.partners())
            : List.of();
    Landing.Offer offer = ends.target().modes().offer();
    Landing settled =
        Landing.settle(offer, mode, job.writeOptions().atomic(), isRetained, key).doing(steps);
    Landing begun = resumed == null || resumed.complete() ? null : resumed.begun().landing();
    boolean isSingle = resumed == null && isNew(job) && job.tuning().single();
    Landing landing = begun != null ? begun : isSingle ? settled.wholeIf(offer) : settled;
    checkResumes(settled, resumed);
    WriteRequest request =
        new WriteRequest(
            taken,
            landing,
            pairing.partners(),
            pairing.notes(),
            resumed,
            isRetained ? TableComments.NONE : comments(from, passed, mapped));
    PlannedTarget to = described.to().plan(request);
    WritePlan writePlan =
        CommitNote.to(
            withItself(to.plan(), ends), job, settled, ends.target(), from.size().bytes());
    Plan.Work work =
        work(
            job,
            ends,
            pairing.taken().stream().map(mapped::get).toList(),
            writePlan,
            begun(resumed));
    // A row that is set aside is spelled, for which its values have to be known.
    boolean spellsRows = job.rejects().allowsAny() && from.reading().records().ofRows();
    boolean columnsOnly = work.filters() || work.limits() || work.converts() || spellsRows;
    Plan plan =
        new Plan(
            job,
            ends,
            writePlan,
            crossing(price(described.from(), to, ends, columnsOnly), columnsOnly),
            LaneChoice.lanes(job, from, ends.target(), work.limits(), splitBytes(ends.target())),
            splitBytes(ends.target()),
            work,
            TuningHint.NOTHING);
    return new Planned(
        plan,
        request,
        described.source(),
        described.target(),
        described.from(),
        to,
        lacking(job, pairing));
  }

  /// What is written down about the source, by the names that columns have on the way.
  private static TableComments comments(
      SourceDescription from, Schema passed, List<MappedColumn> mapped) {
    Map<String, String> names = new HashMap<>();
    for (MappedColumn each : mapped) {
      if (each.position() >= 0) {
        names.put(each.column().name(), passed.column(each.position()).name());
      }
    }
    return from.reading().comments().renamed(names);
  }

  /// Whether the target is absent or empty: without a mode, any other is refused.
  private static boolean isNew(Job job) {
    return job.writeOptions().mode() == null;
  }

  /// Whether rows go into what is there, or what is like it. Without columns of its own there is
  /// nothing that would stay of what is emptied.
  private static boolean isRetained(
      DescribedTarget target, Schema incoming, Mode mode, @Nullable JournaledRun resumed) {
    TargetDescription to = target.description();
    boolean isEmptied = mode == Mode.TRUNCATE || mode == Mode.REPLACE;
    if (to.state() == State.ABSENT
        || mode == Mode.CREATE
        || (isEmptied && to.columns().isEmpty())) {
      return false;
    }
    boolean isComplete = resumed != null && resumed.complete();
    return mode != Mode.REPLACE || (!isComplete && target.keepsDefinition(incoming));
  }

  /// @throws Fault.User if the target's merges do nothing else than update and insert
  private static MergeSteps steps(Job job, TargetDescription to, Mode mode) {
    MergeSteps steps = mode == Mode.MERGE ? job.writeOptions().steps() : MergeSteps.USUAL;
    if (!steps.equals(MergeSteps.USUAL) && !to.modes().offer().choosesSteps()) {
      throw new Fault.User(
          to.label()
              + ": a merge updates and inserts there, and can do nothing else ("
              + steps.words().strip()
              + ").",
          "Use --mode merge without it.");
    }
    return steps;
  }

  /// @throws Fault.User if the target is to get columns, and can't
  private static void checkCanAdd(
      Job job, DescribedEnds described, Pairing pairing, boolean isRetained) {
    TargetDescription to = described.to().description();
    boolean knowsNone = isRetained && to.state() == State.THERE && to.columns().isEmpty();
    if (job.mapping().newColumns() == NewColumns.ADD
        && (knowsNone || !pairing.lacking().isEmpty())
        && described.target().capability(ColumnAdder.class) == null) {
      throw new Fault.User(
          to.label() + " can't be given columns that it does not have.",
          "Make them there, or leave them out by --drop.");
    }
  }

  /// The columns that the target is to get before rows move.
  private static List<Column> lacking(Job job, Pairing pairing) {
    return job.mapping().newColumns() != NewColumns.ADD
        ? List.of()
        : pairing.lacking().stream()
            .map(column -> new Column(column.name(), column.type(), true, column.declared()))
            .toList();
  }

  /// Where the columns go.
  ///
  /// @param isRetained whether they go into those that are there
  private static Pairing pairing(
      Job job, TargetDescription to, Schema incoming, Mode mode, boolean isRetained) {
    boolean mayBeMade = !isRetained || mode == Mode.REPLACE;
    if (mayBeMade && !to.storage().caseSensitiveNames()) {
      Pairing.checkApart(to.label(), incoming);
    }
    // A definition is kept for columns of the same names.
    boolean byPosition = job.writeOptions().byPosition() && mode != Mode.REPLACE;
    if (byPosition && isRetained && job.mapping().pairsByName()) {
      throw new Fault.User(
          "--rename, --new-columns and --fit-names are about names, and --by-position pairs columns"
              + " whatever their names.",
          "Leave one of them out.");
    }
    if (!isRetained || to.columns().isEmpty()) {
      return Pairing.anew(incoming);
    }
    String label = to.contents().name();
    return switch (job.mapping().newColumns()) {
      case ERROR ->
          Pairing.of(
              label, incoming, to.columns(), byPosition, job.writeOptions().steps().inserts());
      case IGNORE ->
          Pairing.ofKnown(label, incoming, to.columns(), "%s %s left out: %s does not have %s");
      case ADD ->
          Pairing.ofKnown(label, incoming, to.columns(), "%s %s added to %s before rows move");
    };
  }

  /// @throws Fault.User if a run that committed some rows is to be gone on with by one that commits
  ///   all at once
  private static void checkResumes(Landing landing, @Nullable JournaledRun resumed) {
    if (resumed == null || resumed.complete() || !landing.whole()) {
      return;
    }
    throw new Fault.User(
        "The copy begun at "
            + resumed.run().startedAt()
            + " can't be resumed in one transaction: some of its rows are committed.",
        "Leave the option out that asks for one, or begin again with --fresh.");
  }

  /// What `now()` is.
  private static Instant begun(@Nullable JournaledRun resumed) {
    return resumed == null
        ? Instant.now().truncatedTo(ChronoUnit.SECONDS)
        : Instant.parse(resumed.run().startedAt());
  }

  private static Plan.Work work(
      Job job, Plan.Ends ends, List<MappedColumn> taken, WritePlan writePlan, Instant begun) {
    SourceDescription from = ends.source();
    Plan.Work plain =
        new Plan.Work(
            false,
            job.selection().filters() && !from.pushDown().where(),
            job.selection().limit() != Long.MAX_VALUE && !from.pushDown().limit(),
            taken,
            begun);
    Schema read = plain.taken(from.schema());
    boolean changes =
        taken.size() < from.schema().width()
            || taken.stream().anyMatch(each -> each.constant() != null || each.isCast())
            || !from.reading().declaredTypes().isEmpty()
            || !Plan.membersCounted(job, read, writePlan).isEmpty();
    return new Plan.Work(
        changes || converts(read, writePlan.schema()),
        plain.filters(),
        plain.limits(),
        taken,
        begun);
  }

  private static Plan.Crossing crossing(List<Priced> priced, boolean columnsOnly) {
    Form best = priced.getFirst().form;
    Form fallback =
        best.isFrames()
            ? null
            : priced.stream().map(Priced::form).filter(Form::isFrames).findFirst().orElse(null);
    return new Plan.Crossing(best, why(priced, columnsOnly), fallback);
  }

  /// Files are put in the place of others when they are complete; most else would lose what is to
  /// be read, or wait for its own reading to end.
  private static WritePlan withItself(WritePlan writePlan, Plan.Ends ends) {
    String label = ends.source().label();
    boolean takesAway = writePlan.mode() == Mode.TRUNCATE || writePlan.mode() == Mode.REPLACE;
    if (!takesAway
        || !ends.target().storage().keepsTypes()
        || !label.equals(ends.target().label())) {
      return writePlan;
    }
    String advice = writePlan.adviceToReadItself();
    if (!advice.isEmpty()) {
      throw new Fault.User(
          "FROM and TO are both "
              + label
              + ": --mode "
              + writePlan.mode().name().toLowerCase(Locale.ROOT)
              + " takes away what is to be read.",
          advice);
    }
    return writePlan.noting(
        "FROM and TO are the same: what others write there meanwhile will be lost");
  }

  /// Whether any column changes its type, or has text that may be too long for the target's.
  private static boolean converts(Schema from, Schema to) {
    for (int i = 0; i < from.width(); i++) {
      Type one = from.column(i).type();
      Type other = to.column(i).type();
      boolean isRetained =
          (one instanceof Type.Text text && other instanceof Type.Text limited)
              ? limited.holds(text)
              : one.equals(other);
      if (!isRetained) {
        return true;
      }
    }
    return false;
  }

  private record Priced(Form form, double cost) {}

  private static List<Priced> price(
      DescribedSource source, PlannedTarget target, Plan.Ends ends, boolean columnsOnly) {
    Set<Form> candidates = new LinkedHashSet<>();
    if (!columnsOnly) {
      candidates.addAll(ends.source().forms());
      candidates.addAll(ends.target().forms());
    }
    candidates.add(Form.COLUMNS);
    List<Priced> priced = new ArrayList<>();
    for (Form form : candidates) {
      double give = source.cost(form);
      double take = target.cost(form);
      if (give >= 0 && take >= 0) {
        priced.add(new Priced(form, give + take));
      }
    }
    if (priced.isEmpty()) {
      throw new Fault.Bug(
          ends.source().label() + " and " + ends.target().label() + " have no form in common",
          null);
    }
    priced.sort(java.util.Comparator.comparingDouble(Priced::cost));
    return priced;
  }

  private static String why(List<Priced> priced, boolean columnsOnly) {
    if (priced.size() == 1) {
      return columnsOnly
          ? "values are converted or looked at on the way"
          : "the only form that both ends speak";
    }
    List<String> costs = new ArrayList<>();
    for (Priced one : priced) {
      costs.add(String.format(Locale.ROOT, "%s %.1f", one.form.name(), one.cost));
    }
    return "cheapest in common, in ns of CPU a byte: " + String.join(", ", costs);
  }

  private static long splitBytes(TargetDescription target) {
    return target.storage().singleOutput() ? JOINED_SPLIT_BYTES : SPLIT_BYTES;
  }
}
