package millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.data.Form;
import millrace.engine.Run;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.JobIdentity;
import millrace.resume.ResumeState;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.Writer;
import millrace.testkit.forwarding.ForwardingTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What every connector that keeps a journal promises of copies with --resume: their rows are there
/// once, wherever the process is killed and however often the same command is given.
public abstract class ResumeSuite extends ExistingTypesSuite {

  private static final long SPLIT_BYTES = 2_400;
  private static final String KILLED = "the process was killed";

  /// Other spellings of the same table, for reading and for writing.
  protected List<Endpoint> spellings(String name) {
    return List.of();
  }

  /// Whether the connector has a mode.
  protected final boolean offers(Mode mode, boolean atomic) {
    boolean always =
        switch (mode) {
          case CREATE, REPLACE -> true;
          case APPEND -> can(Behaviour.APPEND);
          case TRUNCATE -> can(Behaviour.TRUNCATE);
          case MERGE -> can(Behaviour.MERGE);
        };
    return always && (!atomic || can(Behaviour.ATOMIC));
  }

  /// Where a process is killed.
  enum Kill {
    /// Rows have been committed in parts, if the connector does so.
    AMONG_ROWS,
    /// All lanes are done, and nothing has been made complete.
    BEFORE_THE_END,
    /// The last commit has been made, and nobody has been told.
    AFTER_THE_LAST_COMMIT,
    /// The user has been told, and the process is about to end.
    AFTER_ALL
  }

  static Stream<Arguments> kills() {
    return Stream.of(Mode.values())
        .flatMap(mode -> Stream.of(Kill.values()).map(kill -> Arguments.of(mode, kill)));
  }

  /// A target whose process is killed: nothing is put in order.
  private static final class KilledTarget extends ForwardingTarget {
    private final Kill kill;
    private final AtomicInteger writers = new AtomicInteger();

    KilledTarget(Target inner, Kill kill) {
      super(inner);
      this.kill = kill;
    }

    @Override
    public Writer writer(Form form, WriteContext context) {
      if (kill == Kill.AMONG_ROWS && writers.incrementAndGet() > 1) {
        throw new IllegalStateException(KILLED);
      }
      return super.writer(form, context);
    }

    @Override
    public void complete(PhaseTimer steps) {
      if (kill == Kill.BEFORE_THE_END) {
        throw new IllegalStateException(KILLED);
      }
      super.complete(steps);
      if (kill == Kill.AFTER_THE_LAST_COMMIT) {
        throw new IllegalStateException(KILLED);
      }
    }

    @Override
    public boolean keep() {
      return keepsParts() || super.keep();
    }

    @Override
    public void abandon() {
      // What keeps no parts lives in this process alone, and is gone with it.
      if (!keepsParts() && kill != Kill.AFTER_THE_LAST_COMMIT) {
        super.abandon();
      }
    }

    private boolean keepsParts() {
      Journal journal = journal();
      return journal != null && journal.keepsParts();
    }
  }

  private Copying copying(List<Row> rows, Endpoint table, Mode mode) {
    return into(ITEMS, rows, table).mode(mode).lanes(2, SPLIT_BYTES);
  }

  /// What somebody does with a run of that copy.
  private <T> T with(
      Copying copying,
      ResumeState.Choice choice,
      UnaryOperator<Target> opening,
      Function<Run, T> deed) {
    try (Source source = copying.source().source(copying.from(), copying.selection());
        Target target =
            opening.apply(copying.target().target(copying.to(), copying.writeOptions()))) {
      String job = JobIdentity.of(copying.job(), source, copying.target());
      ResumeState resumeState = ResumeState.of(target, job, choice);
      return deed.apply(
          new Run(copying.plan(source, target), source, target, resumeState, RetryPolicy.NONE));
    }
  }

  private Run resume(Copying copying) {
    return run(copying, ResumeState.Choice.RESUME);
  }

  private Run run(Copying copying, ResumeState.Choice choice) {
    return with(
        copying,
        choice,
        UnaryOperator.identity(),
        run -> {
          run.execute();
          run.acknowledge();
          return run;
        });
  }

  private String decide(Copying copying) {
    return with(copying, ResumeState.Choice.RESUME, UnaryOperator.identity(), Run::decide);
  }

  private void kill(Copying copying, Kill kill) {
    if (kill == Kill.AFTER_ALL) {
      resume(copying);
      return;
    }
    assertThatThrownBy(() ->
            with(
                copying,
                ResumeState.Choice.RESUME,
                target -> new KilledTarget(target, kill),
                run -> {
                  run.execute();
                  return run;
                }))
        .hasMessageContaining(KILLED);
  }

  private void assertNothingToDo(Copying copying) {
    assertThat(decide(copying)).contains("complete since", "nothing to do");
    Run run = resume(copying);
    assertThat(run.completeSince()).isNotEmpty();
    assertThat(run.meter().rows()).isZero();
  }

  /// @return what the table held before, for modes that need one
  private List<Row> before(Endpoint table, Mode mode) {
    if (mode == Mode.CREATE) {
      return List.of();
    }
    write(ITEMS, items(0, 10), table);
    return mode == Mode.APPEND || mode == Mode.MERGE ? items(0, 10) : List.of();
  }

  private static List<Row> all(List<Row> some, List<Row> others) {
    List<Row> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  @ParameterizedTest(name = "{0} that is killed {1}")
  @MethodSource("kills")
  void rowsAreThereOnceWhereverTheProcessIsKilled(Mode mode, Kill kill) {
    if (!can(Behaviour.RESUME) || !offers(mode, false)) {
      return;
    }
    Endpoint table = table("killed");
    List<Row> before = before(table, mode);
    List<Row> rows = items(1_000, 1_000);
    Copying copying = copying(rows, table, mode);
    kill(copying, kill);
    decide(copying);
    resume(copying);
    RowCheck.sameRows(ITEMS, all(before, rows), read(ITEMS, table));
    assertNothingToDo(copying);
    RowCheck.sameRows(ITEMS, all(before, rows), read(ITEMS, table));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aCompleteCopyWhoseSourceHasChangedIsRefusedAndFreshLoadsIt(Mode mode) {
    if (!can(Behaviour.RESUME) || !offers(mode, false)) {
      return;
    }
    Endpoint table = table("changed_source");
    List<Row> before = before(table, mode);
    List<Row> rows = items(1_000, 100);
    resume(copying(rows, table, mode));
    List<Row> others = items(2_000, 100);
    Copying changed = copying(others, table, mode);
    assertThatThrownBy(() -> decide(changed)).isInstanceOf(Fault.User.class);
    assertThatThrownBy(() -> resume(changed))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("complete since");
              assertThat(fault.advice()).contains("--fresh");
            });
    RowCheck.sameRows(ITEMS, all(before, rows), read(ITEMS, table));
    if (mode != Mode.CREATE) {
      run(changed, ResumeState.Choice.FRESH);
      boolean adds = mode == Mode.APPEND || mode == Mode.MERGE;
      List<Row> expected = adds ? all(before, all(rows, others)) : others;
      RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
      assertNothingToDo(changed);
    }
  }

  @Test
  void aDryRunOfACopyThatWasCutOffSaysThatItGoesOnAndChangesNothing() {
    if (!can(Behaviour.RESUME)) {
      return;
    }
    Copying copying = copying(items(0, 1_000), table("dry"), Mode.CREATE);
    kill(copying, Kill.BEFORE_THE_END);
    try (Target target = connector().target(copying.to(), copying.writeOptions())) {
      boolean keepsParts = target.journal() != null && target.journal().keepsParts();
      if (!keepsParts) {
        return;
      }
    }
    String said = decide(copying);
    assertThat(said).contains("goes on with the copy begun at");
    assertThat(decide(copying)).isEqualTo(said);
    assertAbsent(copying.to());
    resume(copying);
    RowCheck.sameRows(ITEMS, items(0, 1_000), read(ITEMS, copying.to()));
  }

  @Test
  void aTableIsTheSameByWhateverNameItIsReached() {
    if (!can(Behaviour.RESUME)) {
      return;
    }
    Endpoint table = table("spelled");
    Copying copying = copying(items(0, 100), table, Mode.CREATE);
    resume(copying);
    String known = identity(table);
    for (Endpoint spelling : spellings("spelled")) {
      assertThat(identity(spelling)).as(spelling.toString()).isEqualTo(known);
      assertNothingToDo(copying(items(0, 100), spelling, Mode.CREATE));
    }
    assertThat(spellings("spelled")).isNotEmpty();
  }

  private String identity(Endpoint table) {
    try (Source source = connector().source(table, Selection.ALL)) {
      return source.endpointIdentity();
    }
  }

  @Test
  void theJournalListsWhatIsCompleteAndForgetsIt() {
    if (!can(Behaviour.RESUME)) {
      return;
    }
    Copying copying = copying(items(0, 100), table("listed"), Mode.REPLACE);
    resume(copying);
    try (Target target = connector().target(copying.to(), WriteOptions.DEFAULT)) {
      Journal journal = target.journal();
      assertThat(journal).isNotNull();
      assertThat(journal.list()).singleElement().matches(Journal.JournaledRun::complete);
      journal.forget(journal.list().getFirst().run());
      assertThat(journal.list()).isEmpty();
    }
  }

  @Test
  void withoutResumeNoMarkStays() {
    if (!can(Behaviour.RESUME)) {
      return;
    }
    Copying copying = copying(items(0, 100), table("unmarked"), Mode.REPLACE);
    run(copying, ResumeState.Choice.NONE);
    try (Target target = connector().target(copying.to(), WriteOptions.DEFAULT)) {
      Journal journal = target.journal();
      assertThat(journal).isNotNull();
      assertThat(journal.list()).isEmpty();
    }
  }
}
