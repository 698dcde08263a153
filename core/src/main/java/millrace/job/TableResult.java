package millrace.job;

import java.util.List;
import millrace.copy.CopyResult;
import millrace.fault.Fault;
import millrace.resume.EarlierRun;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// What became of one copy of a job.
///
/// @param name the table's
/// @param state how it ended
/// @param rows how many rows arrived
/// @param rejects how many bad records were set aside
/// @param nanos how long it took
/// @param notes what is notable, sentences without their ends
/// @param fault why it failed; null if it did not
public record TableResult(
    String name,
    State state,
    long rows,
    long rejects,
    long nanos,
    List<String> notes,
    @Nullable Fault fault) {

  /// How a copy ended.
  public enum State {
    DONE("ok"),
    /// An earlier run of the job had done it.
    DONE_BEFORE("done before"),
    FAILED("failed"),
    STOPPED("stopped"),
    /// The job ended first.
    NOT_BEGUN("not begun");

    private final String words;

    State(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  public TableResult {
    notes = List.copyOf(notes);
  }

  /// Whether all of the table is there.
  public boolean isDone() {
    return state == State.DONE || state == State.DONE_BEFORE;
  }

  static TableResult doneBefore(JobLedger.Done done) {
    return new TableResult(
        done.table(), State.DONE_BEFORE, done.rows(), done.rejects(), 0, List.of(), null);
  }

  /// Of a table without a value that could be copied: whoever made it has given it as many rows.
  static TableResult bare(TableCopy copy, boolean isMade, long nanos) {
    return new TableResult(
        copy.name(),
        State.DONE,
        isMade ? copy.entry().rows() : 0,
        0,
        nanos,
        isMade ? List.of() : List.of("no column could be copied"),
        null);
  }

  static TableResult notBegun(String name) {
    return new TableResult(name, State.NOT_BEGUN, 0, 0, 0, List.of(), null);
  }

  /// A table that is cut off begins again. That is notable only if it then has rows twice.
  static List<String> notes(TableCopy copy, CopyResult ending) {
    boolean appends = copy.spec().job().writeOptions().mode() == Mode.APPEND;
    return ending.outcome().notes().stream()
        .filter(note -> appends || !note.startsWith(EarlierRun.CAN_NOT_GO_ON))
        .toList();
  }
}
