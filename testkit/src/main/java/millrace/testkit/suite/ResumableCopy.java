package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import millrace.data.Form;
import millrace.engine.Run;
import millrace.engine.remote.Cluster;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.resume.Journal;
import millrace.resume.ResumeChoice;
import millrace.spi.ConnectorRegistry;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.JournaledRun;
import millrace.spi.read.Source;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriteSession;
import millrace.testkit.forwarding.ForwardingWriter;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// A copy that asks the target's journal for earlier ones, as every command does: with --resume,
/// with --fresh or with neither. It can be cut off, as by a fault, and killed, as a process is.
///
/// @param choice which of them
public record ResumableCopy(Copying copying, ResumeChoice choice) {

  private static final String KILLED = "the process was killed";

  /// Where a process is killed.
  public enum Kill {
    /// Nothing has been written.
    BEFORE_THE_ROWS,
    /// Rows have been committed in parts, if the connector does so.
    AMONG_ROWS,
    /// All lanes are done, and nothing has been made complete.
    BEFORE_THE_END,
    /// A step of the end that takes its time has been taken, such as a swap, and nothing behind it,
    /// such as the mark of the run; or all has, if the target tells of no step.
    BEHIND_A_STEP_OF_THE_END,
    /// The last commit has been made, and nobody has been told.
    AFTER_THE_LAST_COMMIT,
    /// The user has been told, and the process is about to end.
    AFTER_ALL
  }

  /// A copy with --resume that reads some rows at a time, and commits three times as many.
  public static ResumableCopy of(Copying copying, int batchRows) {
    return new ResumableCopy(
        copying.units(rows(batchRows), null, rows(3 * batchRows)), ResumeChoice.RESUME);
  }

  private static Amount rows(int rows) {
    return new Amount(rows, false);
  }

  public ResumableCopy with(ResumeChoice other) {
    return new ResumableCopy(copying, other);
  }

  private ResumableCopy with(Copying other) {
    return new ResumableCopy(other, choice);
  }

  /// Without --resume and --fresh.
  public ResumableCopy unrequested() {
    return with(ResumeChoice.NONE);
  }

  /// With --resume.
  public ResumableCopy resumed() {
    return with(ResumeChoice.RESUME);
  }

  /// With --fresh.
  public ResumableCopy fresh() {
    return with(ResumeChoice.FRESH);
  }

  public ResumableCopy patience(RetryPolicy other) {
    return with(copying.patience(other));
  }

  /// With all that a copy of a user looks at beside its rows.
  public ResumableCopy measuring() {
    return with(copying.measuring());
  }

  /// Worked off by other processes.
  public ResumableCopy on(@Nullable Function<ConnectorRegistry, Cluster> cluster) {
    return with(copying.on(cluster));
  }

  /// Commits that many rows at a time; 0 for whole splits.
  public ResumableCopy commitRows(int rows) {
    Job.Tuning old = copying.job().tuning();
    return with(copying.units(old.readUnit(), old.writeUnit(), rows == 0 ? null : rows(rows)));
  }

  /// Sends that many rows at a time; 0 if the engine finds out.
  public ResumableCopy writeRows(int rows) {
    Job.Tuning old = copying.job().tuning();
    return with(copying.units(old.readUnit(), rows == 0 ? null : rows(rows), old.commitUnit()));
  }

  /// The same in another mode.
  public ResumableCopy mode(@Nullable Mode mode) {
    return with(copying.mode(mode));
  }

  /// The same with bad records set aside.
  public ResumableCopy rejects(Job.RejectPolicy rejects) {
    return with(copying.rejects(rejects));
  }

  /// With something between the engine and the ends.
  public ResumableCopy between(UnaryOperator<Source> from, UnaryOperator<Target> to) {
    return with(copying.between(from, to));
  }

  /// With a hook that may act.
  public ResumableCopy hooked(SourceHook hook) {
    return between(hook::of, hook::of);
  }

  /// The same with a target that does something before it completes.
  public ResumableCopy beforeTheEnd(Runnable deed) {
    return between(
        UnaryOperator.identity(),
        open ->
            new ForwardingTarget(open) {
              @Override
              protected WriteSession opened(WriteSession session) {
                return new ForwardingWriteSession(session) {
                  @Override
                  public Completed complete(PhaseTimer steps) {
                    deed.run();
                    return super.complete(steps);
                  }
                };
              }
            });
  }

  /// Copies, and tells the user.
  public Ran run() {
    return run(_ -> {});
  }

  /// The same, whether it ends well or not.
  public Ran attempt() {
    return copying.attempt(choice, _ -> {}, () -> {});
  }

  /// Copies, and tells the user.
  ///
  /// @param watch gets the run before it begins
  public Ran run(Consumer<Run> watch) {
    return copying.run(choice, watch, () -> {});
  }

  /// Copies; then the process is killed before anybody is told.
  public void runUntold() {
    try {
      copying.run(choice, _ -> {}, ResumableCopy::dies);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage(KILLED);
    }
  }

  /// Fails so.
  ///
  /// @return the copy that has failed
  public Ran failing(Class<? extends Fault> fault, String message) {
    return failing(fault, message, _ -> {});
  }

  /// Fails so.
  ///
  /// @param watch gets the run before it begins
  /// @return the copy that has failed
  public Ran failing(Class<? extends Fault> fault, String message, Consumer<Run> watch) {
    Ran failed = copying.attempt(choice, watch, () -> {});
    assertThat(failed.result().fault()).isInstanceOf(fault).hasMessageContaining(message);
    return failed;
  }

  /// What a dry run says.
  public String decide() {
    return copying.preview(choice).start().note();
  }

  /// What the target's journal says; it has to keep one.
  public <T> T inJournal(Function<Journal, T> deed) {
    try (Target to = copying.openTarget()) {
      return deed.apply(Objects.requireNonNull(Journal.of(to)));
    }
  }

  /// Whether a copy that is cut off leaves parts that another goes on with.
  public boolean keepsParts() {
    return inJournal(journal -> journal.guarantees().keepsParts());
  }

  /// What a copy that was cut off has committed, as its journal says.
  public long rowsKept() {
    return inJournal(Journal::list).stream()
        .filter(journaledRun -> !journaledRun.complete())
        .mapToLong(JournaledRun::rows)
        .sum();
  }

  /// A hook that acts when so many batches were read and the journal knows of some rows, if it
  /// keeps parts.
  public SourceHook amongRows(int batches, Runnable pull) {
    Runnable known =
        () -> {
          awaitReceipt();
          pull.run();
        };
    return copying.job().tuning().lanes() > 1
        ? SourceHook.behindFirstSplit(batches, known)
        : SourceHook.after(batches, 1, known);
  }

  /// The journal may write receipts down behind the rows.
  private void awaitReceipt() {
    boolean keepsParts = keepsParts();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (keepsParts && rowsKept() == 0) {
      assertThat(System.nanoTime()).as("no receipt was written down").isLessThan(deadline);
    }
  }

  /// Is cut off by a fault after so many batches, whatever has become of them.
  ///
  /// @return the run that has failed
  public Ran cut(int batches) {
    return cut(SourceHook.after(batches, 0));
  }

  /// The same with receipts at once: those of small splits would wait for each other.
  private ResumableCopy committing() {
    return copying.job().tuning().commitUnit() == null ? commitRows(1) : this;
  }

  /// Is cut off by a fault when so many batches were read and rows of some have a receipt.
  ///
  /// @return the run that has failed
  public Ran cutBehindReceipt(int batches) {
    return committing()
        .cut(
            amongRows(
                batches,
                () -> {
                  throw new Fault.External(SourceHook.CUT_OFF, "", null);
                }));
  }

  /// Is cut off when that hook acts.
  ///
  /// @return the run that has failed
  public Ran cut(SourceHook hook) {
    return hooked(hook).failing(Fault.External.class, SourceHook.CUT_OFF);
  }

  /// Is killed: nothing is put in order.
  ///
  /// @param batches after how many, if it is killed among the rows
  /// @param staysOpen whether writers leave what they have open, since nobody would notice that
  ///   they are gone; else they close, as the system closes the connections of a process
  public void kill(Kill kill, int batches, boolean staysOpen) {
    if (kill == Kill.AFTER_ALL) {
      run();
      return;
    }
    SourceHook hook =
        switch (kill) {
          case BEFORE_THE_ROWS -> SourceHook.after(0, 0, ResumableCopy::dies);
          case AMONG_ROWS -> amongRows(batches, ResumableCopy::dies);
          default -> SourceHook.never();
        };
    committing().kill(hook, kill, staysOpen);
  }

  /// Is killed after so many batches, whatever has become of them.
  public void killAfter(int batches) {
    kill(SourceHook.after(batches, 0, ResumableCopy::dies), Kill.AMONG_ROWS, false);
  }

  private void kill(SourceHook hook, Kill kill, boolean staysOpen) {
    ResumableCopy killed =
        between(
            hook::of, open -> new KilledTarget(hook.of(open), kill, staysOpen, this::diesKnown));
    assertThatThrownBy(killed::run).hasMessageContaining(KILLED);
  }

  private void diesKnown() {
    awaitReceipt();
    dies();
  }

  private static void dies() {
    throw new IllegalStateException(KILLED);
  }

  /// A target whose process is killed.
  private static final class KilledTarget extends ForwardingTarget {
    private final Kill kill;
    private final boolean staysOpen;
    private final Runnable death;

    KilledTarget(Target inner, Kill kill, boolean staysOpen, Runnable death) {
      super(inner);
      this.death = death;
      this.kill = kill;
      this.staysOpen = staysOpen;
    }

    @Override
    protected WriteSession opened(WriteSession session) {
      return new ForwardingWriteSession(session) {
        private boolean ended;

        @Override
        public Writer writer(Form form, WriteContext context) {
          Writer writer = super.writer(form, context);
          return staysOpen ? openFor(writer) : writer;
        }

        @Override
        public Completed complete(PhaseTimer steps) {
          if (kill == Kill.BEFORE_THE_END) {
            death.run();
          }
          Completed completed =
              super.complete(
                  kill == Kill.BEHIND_A_STEP_OF_THE_END
                      ? (name, lanes, work) -> {
                        steps.time(name, lanes, work);
                        dies();
                      }
                      : steps);
          ended = true;
          if (kill.compareTo(Kill.BEFORE_THE_END) > 0) {
            dies();
          }
          return completed;
        }

        // What keeps no parts lives in this process alone, and is gone with it.
        @Override
        public Aborted abort(boolean keep) {
          if (keepsParts()) {
            return Aborted.RETAINED;
          }
          return ended ? Aborted.CLEAN : super.abort(keep);
        }
      };
    }

    /// What it has written of a split stays.
    private static Writer openFor(Writer writer) {
      return new ForwardingWriter(writer) {
        @Override
        public void close() {
          // The process has no time for it.
        }
      };
    }

    private boolean keepsParts() {
      Journal journal = Journal.of(this);
      return journal != null && journal.guarantees().keepsParts();
    }
  }
}
