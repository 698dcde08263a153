package millrace.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import millrace.engine.lane.LanePool;
import millrace.engine.lane.LaneTransforms;
import millrace.engine.lane.Receipts;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.engine.reject.RejectLog;
import millrace.engine.retry.Retrier;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallGuard;
import millrace.engine.retry.StallWatch;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.engine.tuning.LaneTuner;
import millrace.fault.Fault;
import millrace.fault.HeapTrouble;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.report.Report;
import millrace.resume.ResumeState;
import millrace.spi.TuningHint;
import millrace.spi.Waiting;
import millrace.spi.journal.Receipt;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.OpenFailed;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Recoverable;
import millrace.spi.write.StagedRowValidator;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// Carries a plan out.
///
/// The thread that calls {@link #execute} waits for the lanes; any other may {@link #cancel} and
/// watch the {@link #meter}. A run is used once.
public final class Run {

  private static final String COPY = "copy rows";
  private static final String COMPLETE = "complete target";
  private static final String READ_AGAIN = "read again what was copied";

  private final Plan plan;
  private final DescribedSource source;
  private final PlannedTarget target;
  private final Waiting sourceWaiting;
  private final ResumeState resumeState;
  private final Meter meter;
  private final RetryPolicy retryPolicy;
  private final @Nullable LaneTuner tuner;
  private final @Nullable ConcurrencyPolicy concurrencyPolicy;
  private final AtomicReference<Fault.@Nullable Cancelled> cancelled = new AtomicReference<>();
  private final PhaseLog phaseLog = new PhaseLog();
  private Consumer<RejectLog.Told> toldRejects = _ -> {};
  private final Retrier completing;
  private final Waiting targetWaiting;
  private volatile @Nullable ChecksumRecheck checksumRecheck;
  private volatile @Nullable LanePool lanePool;
  private volatile Completed completed = Completed.PLAIN;
  private volatile Aborted aborted = Aborted.CLEAN;
  private volatile List<String> sourceNotes = List.of();
  private volatile boolean kept;
  private volatile boolean settled;
  private volatile @Nullable String targetWaitsFor;
  private volatile @Nullable String endWaits;

  /// The source while it is being opened.
  private volatile @Nullable Waiting opening;

  /// Finds out whether the engine can do what the plan leaves to it, before anything is touched.
  ///
  /// @throws Fault.User where a column can't be converted or the condition not be applied
  public static void check(Plan plan) {
    LaneTransforms.check(plan);
  }

  /// A run of that plan between the two ends that it was made for; the caller closes them.
  ///
  /// @throws Fault.User as {@link #check}
  public Run(Planned planned) {
    this(planned, RetryPolicy.NONE);
  }

  /// A run that goes on for some time where nothing moves.
  ///
  /// @throws Fault.User as {@link #check}
  public Run(Planned planned, RetryPolicy retryPolicy) {
    this(planned, ResumeState.none(), retryPolicy);
  }

  /// A run that keeps a journal, or goes on with an earlier run, as its past says.
  ///
  /// @throws Fault.User as {@link #check}
  public Run(Planned planned, ResumeState resumeState, RetryPolicy retryPolicy) {
    this(planned, resumeState, retryPolicy, tuner(planned.plan()), null);
  }

  /// A run that has as many lanes as that pace says, and not as it measures.
  public Run(Planned planned, RetryPolicy retryPolicy, ConcurrencyPolicy concurrencyPolicy) {
    this(planned, ResumeState.none(), retryPolicy, null, concurrencyPolicy);
  }

  private Run(
      Planned planned,
      ResumeState resumeState,
      RetryPolicy retryPolicy,
      @Nullable LaneTuner tuner,
      @Nullable ConcurrencyPolicy concurrencyPolicy) {
    plan = planned.plan();
    check(plan);
    source = planned.from();
    target = planned.to();
    sourceWaiting = Waiting.of(planned.source());
    this.retryPolicy = retryPolicy;
    this.resumeState = resumeState;
    this.tuner = tuner;
    this.concurrencyPolicy = concurrencyPolicy == null ? tuner : concurrencyPolicy;
    meter = new Meter(plan.lanes());
    targetWaiting = Waiting.of(planned.target());
    completing = new Retrier(retryPolicy, this::beginWait);
  }

  private static @Nullable LaneTuner tuner(Plan plan) {
    Lanes lanes = plan.lanes();
    return lanes.measured()
        ? new LaneTuner(
            lanes.first(), lanes.most(), plan.splitBytes(), plan.source().size().bytes())
        : null;
  }

  /// What it carries out.
  public Plan plan() {
    return plan;
  }

  /// What the run has done so far; for progress and the report.
  public Meter meter() {
    return meter;
  }

  /// How many lanes were best, or were planned where nothing was to be found out, but for those
  /// that could not open. Once it has ended.
  public int lanes() {
    LanePool worked = lanePool;
    return Math.max(1, lanesMeant() - (worked == null ? 0 : worked.unopened().lanes()));
  }

  private int lanesMeant() {
    return tuner == null ? plan.lanes().first() : tuner.best();
  }

  /// What each number of lanes that was tried moved in a second. Once it has ended.
  public List<Report.LaneRate> lanesTried() {
    return tuner == null ? List.of() : tuner.tried();
  }

  /// What was found best. Once it has ended.
  TuningHint tuningHint() {
    LanePool worked = lanePool;
    int lanes = lanesTried().size() < 2 ? 0 : lanes();
    return worked == null
        ? TuningHint.NOTHING
        : new TuningHint(lanes, worked.readUnitFound(), worked.writeUnitFound());
  }

  /// Why no more lanes worked or could be tried, or null where nothing stood against it.
  @Nullable
  public String lanesLimitWhy() {
    LanePool worked = lanePool;
    if (worked != null && worked.unopened().lanes() > 0) {
      String why = worked.unopened().why();
      return "only " + lanes() + " of " + lanesMeant() + " could open: " + why;
    }
    return worked == null ? null : worked.limitWhy();
  }

  /// What is done at this moment before or after rows move, such as "make indexes", and what others
  /// have that it waits for; empty while rows move.
  public String stepAside() {
    String step = phaseLog.underWay();
    return step.equals(COPY) ? "" : step + and(targetWaitsFor);
  }

  /// What one of the ends waits for while no row moves, such as "the target waits for …"; empty
  /// where rows move, or nobody can say.
  public String endWaits() {
    String waits = endWaits;
    return waits == null ? "" : waits;
  }

  /// How long each step took.
  public PhaseLog phaseLog() {
    return phaseLog;
  }

  /// For how long rows moved, or were about to.
  long copyNanos() {
    return nanos(COPY);
  }

  /// For how long rows moved and the target then did what makes them its own; some do most of it
  /// then.
  long landingNanos() {
    return nanos(COPY) + nanos(COMPLETE);
  }

  private long nanos(String step) {
    return phaseLog.list().stream()
        .filter(each -> each.name().equals(step))
        .mapToLong(Report.Phase::nanos)
        .sum();
  }

  /// Why what was staged could not be removed after a failure, or null where it was.
  public @Nullable RuntimeException undoFailure() {
    return aborted.failure();
  }

  /// Whether the same copy, begun once more, finds and undoes what this one could not.
  public boolean isUndoneByNext() {
    return aborted.failure() instanceof Fault && resumeState.isKept();
  }

  /// Whether it came to touching the target at all; before that, an earlier run may have stood in
  /// its way, whose rows stay.
  public boolean settled() {
    return settled;
  }

  /// Whether it failed and left something that another run can go on with.
  public boolean kept() {
    return kept;
  }

  /// What became of the data, besides what the plan says: one sentence each, bad records first.
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (meter.rejects() > 0) {
      notes.add(plan.job().rejects().words(meter.rejects()));
    }
    if (!resumeState.note().isEmpty()) {
      notes.add(resumeState.note());
    }
    notes.addAll(sourceNotes);
    notes.addAll(completed.notes());
    notes.addAll(aborted.notes());
    long cut = meter.cut().sum();
    if (cut > 0) {
      String values = cut == 1 ? "1 value" : String.format(Locale.ROOT, "%,d values", cut);
      notes.add("Nanoseconds were cut off in " + values + ".");
    }
    long lost = meter.lostMembers().sum();
    if (lost > 0) {
      String documents =
          lost == 1 ? "1 document has" : String.format(Locale.ROOT, "%,d documents have", lost);
      notes.add(
          documents
              + " two members of one name in an object; of them "
              + String.join(", ", plan.writePlan().lastMemberOnly())
              + " keeps only the last. A column of type json keeps all.");
    }
    return notes;
  }

  /// What a merge made of the rows; null of other modes. Once it has ended well.
  public @Nullable MergeCounts merged() {
    return completed.merged();
  }

  /// The run has ended well and its report has been kept: the journal may forget it.
  public void acknowledge() {
    resumeState.forget();
  }

  /// Moves all rows, and makes them appear where the mode staged them.
  ///
  /// @throws Fault what went wrong first; what was staged has been removed, or is kept for another
  ///   run to go on with
  public void execute() {
    if (!settle()) {
      resumeState.finish();
      return;
    }
    settled = true;
    resumeState.prune();
    Receipts receipts = new Receipts(meter, resumeState.receipts());
    meter.goesOnBehind(receipts.rows());
    try (RejectLog rejects = rejectLog();
        ReadSession from = openSource();
        Splits splits = resumeState.splits(from)) {
      if (resumeState.copiesTheSame()) {
        rejects.goOn();
      }
      move(from, splits, rejects, receipts);
    } catch (Fault.Data e) {
      throw withKeptTypes(e);
    }
  }

  /// Opens the target, moves the rows, and completes or aborts it.
  private void move(ReadSession from, Splits splits, RejectLog rejects, Receipts receipts) {
    long rowsTaken = receipts.rows();
    try (WriteSession to = openTarget(rejects)) {
      try {
        long rowsBefore = meter.rows();
        LanePool lanes =
            new LanePool(
                plan, from, to, meter, splits, rejects, receipts, retryPolicy, concurrencyPolicy);
        lanePool = lanes;
        stopIfCancelled(lanes);
        phaseLog.time(COPY, plan.lanes().first(), () -> work(lanes));
        phaseLog.moved(
            meter.rows() - rowsBefore,
            Report.rateBytes(meter.sourceBytes(), meter.targetBytes()),
            lanes());
        stopIfFailed(lanes.failure(), lanes());
        stopIfCancelled();
        from.allRead();
        validateStaged(to, rejects);
        rejects.judge();
        phaseLog.time(COMPLETE, 1, () -> complete(to));
        meter.countSifted(completed.rowsLeftOut());
        meter.countDurable(rowsTaken + meter.rows() - meter.rowsDurable());
      } catch (RuntimeException | Error e) {
        abort(to, e, receipts);
        throw e;
      }
    } finally {
      sourceNotes = from.notes();
    }
  }

  /// What the source does for it may have to wait for others.
  private ReadSession openSource() {
    opening = sourceWaiting;
    try {
      stopIfCancelled();
      return new StallGuard(retryPolicy, waits -> endWaits = waits)
          .get(
              "the source is being opened",
              sourceWaiting,
              () -> source.open(resumeState.readPlan(plan)));
    } catch (Fault.Cancelled e) {
      stopIfCancelled();
      throw e;
    } finally {
      opening = null;
      endWaits = null;
    }
  }

  private WriteSession openTarget(RejectLog rejects) {
    WriteStart start = new WriteStart(plan.lanes().most(), rejects.allowed(), resumeState.begun());
    List<WriteSession> opened = new ArrayList<>();
    phaseLog.time("prepare target", 1, () -> opened.add(prepare(start)));
    return opened.getFirst();
  }

  private void validateStaged(WriteSession to, RejectLog rejects) {
    StagedRowValidator validator = to.capability(StagedRowValidator.class);
    if (rejects.allowed() && validator != null) {
      meter.countSifted(validator.validateStaged(rejects, phaseLog));
      stopIfCancelled();
    }
  }

  /// Settles what the run would do of an earlier one, and changes nothing: in place of {@link
  /// #execute}.
  ///
  /// @return what the user should know of it; may be empty
  /// @throws Fault as {@link #execute} would
  public String decide() {
    settle();
    return resumeState.note();
  }

  /// Since when the copy is complete that was to be gone on with, in UTC as {@link
  /// java.time.Instant} spells it; empty if there is something to do. Once settled.
  public String completeSince() {
    return resumeState.completeSince();
  }

  /// A value may fit the source's types and not those of the table that is replaced.
  private Fault.Data withKeptTypes(Fault.Data fault) {
    String message = String.valueOf(fault.getMessage());
    return plan.keptTypes().stream()
        .filter(name -> message.matches("(?s).*\\bcolumn \"?" + Pattern.quote(name) + "\\b.*"))
        .findFirst()
        .map(name -> {
          Fault.Data told =
              new Fault.Data(
                  message
                      + (message.endsWith(".") ? "" : ".")
                      + " The type of column "
                      + name
                      + " is that of the old table.",
                  "To take the source's types instead, add --types source. " + fault.advice(),
                  fault.location());
          told.addSuppressed(fault);
          return told;
        })
        .orElse(fault);
  }

  /// Has somebody told each bad record that is set aside, from one thread at a time. Before it is
  /// executed.
  public Run tellingRejects(Consumer<RejectLog.Told> told) {
    toldRejects = told;
    return this;
  }

  private RejectLog rejectLog() {
    return new RejectLog(plan, meter, toldRejects);
  }

  /// Settles what is done of an earlier run, which stays as it is where that is cut off.
  ///
  /// @return false where there is nothing left to do
  private boolean settle() {
    try {
      return resumeState.settle(plan, source, this::changeSince);
    } catch (Fault.Cancelled | Fault.Transient e) {
      kept = resumeState.goesOn();
      throw e;
    }
  }

  /// What the target does for it may have to wait for others, for their locks among other things.
  private WriteSession prepare(WriteStart start) {
    return watched(
        StallWatch.rows(meter, () -> "the target is being prepared" + and(askTarget())),
        () -> open(start));
  }

  /// What went wrong is told in place of the wrapping, so that whoever watches sees a cancel.
  private WriteSession open(WriteStart start) {
    try {
      return target.open(start);
    } catch (OpenFailed e) {
      ended(e.aborted());
      throw e.failure();
    } catch (RuntimeException e) {
      // It has undone what it began, and what it was to go on with is as it was.
      kept = resumeState.goesOn();
      throw e;
    }
  }

  private static String and(@Nullable String waitsFor) {
    return waitsFor == null ? "" : " and waits for " + waitsFor;
  }

  private @Nullable String askTarget() {
    String waitsFor = targetWaiting.waitsFor();
    targetWaitsFor = waitsFor;
    return waitsFor;
  }

  /// Does work of the target's on this thread, which ends where it stands still for too long.
  private <T> T watched(StallWatch.Look look, Supplier<T> work) {
    try {
      return StallWatch.watched(retryPolicy.stallTimeout(), look, targetWaiting::cancel, work);
    } catch (Fault.Cancelled e) {
      stopIfCancelled();
      throw e;
    } finally {
      targetWaitsFor = null;
    }
  }

  private String changeSince(ReadSession again, List<Receipt> taken, List<Split> empty) {
    ChecksumRecheck recheck = new ChecksumRecheck(plan, sourceWaiting, again, retryPolicy);
    checksumRecheck = recheck;
    stopIfCancelled();
    List<String> change = new ArrayList<>();
    phaseLog.time(READ_AGAIN, plan.lanes().first(), () -> change.add(recheck.change(taken, empty)));
    phaseLog.moved(recheck.rows(), 0, plan.lanes().first());
    resumeState.readAgain(recheck.rows());
    return change.getFirst();
  }

  /// Indexes may take hours, without a row that moves: only waiting for others is standing still.
  private void complete(WriteSession to) {
    StallWatch.Look look =
        () -> {
          String waitsFor = askTarget();
          return waitsFor == null ? null : "the target is being completed" + and(waitsFor);
        };
    completed = watched(look, () -> completeAgain(to));
  }

  /// The target's own connection may be lost by now, even where the lanes have got over it.
  private Completed completeAgain(WriteSession to) {
    boolean isRecoverable = to.capability(Recoverable.class) != null;
    return completing.get(
        () -> {
          meter.endWait(0);
          return to.complete(phaseLog);
        },
        _ -> isRecoverable);
  }

  /// No lane is at work any more, so that the first lane's place is free.
  private void beginWait(Fault.Transient fault, long waitNanos, int tries) {
    meter.beginWait(0, String.valueOf(fault.getMessage()), waitNanos, tries, waitNanos);
  }

  private void work(LanePool lanes) {
    try (StallWatch _ =
        StallWatch.start(
            retryPolicy.stallTimeout(),
            StallWatch.rows(meter, sourceWaiting, targetWaiting, waits -> endWaits = waits),
            lanes::fail)) {
      lanes.work();
    } finally {
      endWaits = null;
    }
  }

  /// Stops the run soon; {@link #execute} then throws {@link Fault.Cancelled}. From any thread.
  public void cancel(String why) {
    Fault.Cancelled stop = new Fault.Cancelled(why);
    cancelled.compareAndSet(null, stop);
    ChecksumRecheck reading = checksumRecheck;
    if (reading != null) {
      reading.cancel(stop);
    }
    LanePool working = lanePool;
    if (working != null) {
      stopIfCancelled(working);
    }
    Waiting opened = opening;
    if (opened != null) {
      opened.cancel();
    }
    completing.cancel(why);
    targetWaiting.cancel();
  }

  /// Whether it failed before any lane was begun, so that the same may be done from the start.
  public boolean failedEarly() {
    return lanePool == null && checksumRecheck == null;
  }

  /// A cancel that came when the last lane had ended.
  private void stopIfCancelled() {
    Fault.Cancelled stop = cancelled.get();
    if (stop != null) {
      throw stop;
    }
  }

  private void stopIfCancelled(LanePool working) {
    Fault.Cancelled stop = cancelled.get();
    if (stop != null) {
      working.fail(stop);
    }
  }

  /// Throws what went wrong first, if anything did.
  static void stopIfFailed(@Nullable Throwable cause, int lanes) {
    switch (cause) {
      case null -> {}
      case OutOfMemoryError e ->
          throw HeapTrouble.of(
              e,
              " for these rows on " + (lanes == 1 ? "one lane" : lanes + " lanes"),
              "Use " + (lanes == 1 ? "" : "fewer --lanes or ") + "a smaller --read-unit");
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new Fault.Bug("unexpected " + cause, cause);
    }
  }

  /// What stays of rows that no receipt speaks of, as a sentence; empty if nothing does. Once it
  /// has failed.
  public String leaves() {
    return aborted.leaves();
  }

  /// Undoes what was staged, unless another run can go on with it; a failure to do so is told
  /// beside the failure that led here.
  private void abort(WriteSession to, Throwable cause, Receipts receipts) {
    try {
      boolean keep =
          resumeState.isKept() && (meter.rowsDurable() > 0 || isWorthKeeping(to, cause, receipts));
      ended(to.abort(keep));
    } catch (RuntimeException e) {
      ended(Aborted.CLEAN.failing(e));
    }
    RuntimeException failure = aborted.failure();
    if (failure != null && !failure.equals(cause)) {
      cause.addSuppressed(failure);
    }
  }

  private void ended(Aborted how) {
    aborted = how;
    kept = how.kept() && resumeState.canBeResumed();
    if (how.gone()) {
      meter.countDurable(-meter.rowsDurable());
    }
  }

  /// Rows that nobody sees yet, or that can't be undone, are kept where the same command can go
  /// well another time; after bad data or a wrong request it would only fail again.
  private boolean isWorthKeeping(WriteSession to, Throwable cause, Receipts receipts) {
    boolean mayGoWell =
        cause instanceof Fault.Cancelled
            || cause instanceof Fault.Transient
            || cause instanceof Fault.External;
    Recoverable recoverable = to.capability(Recoverable.class);
    boolean isThere =
        receipts.rows() > 0
            || resumeState.mayHaveLeftRows()
            || (recoverable != null && recoverable.leavesRows());
    return mayGoWell && resumeState.canBeResumed() && isThere;
  }
}
