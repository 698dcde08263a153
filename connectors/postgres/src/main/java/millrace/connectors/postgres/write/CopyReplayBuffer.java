package millrace.connectors.postgres.write;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.codec.RowCuts;
import millrace.data.Columns;
import millrace.data.EncodedRows;
import millrace.data.Frames;
import millrace.fault.Location;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// The rows of the COPY under way, kept until the server has taken it, so that those that it did
/// not refuse can be sent again. One thread.
///
/// A row counts from 0, the first of the COPY.
public final class CopyReplayBuffer {

  private static final byte[] NO_RECORD = {};

  /// How much more memory a batch takes than its records: vectors beside them.
  private static final int BATCH_FACTOR = 3;

  private final List<Frames> frames = new ArrayList<>();
  private int rows;
  private long bytes;

  /// Where the rows of each of the frames end, and how many rows stand before; once asked.
  private int[][] ends = {};

  private int[] rowsBefore = {};

  /// Keeps them, and owns them from now on.
  public void add(Frames more) {
    Columns batch = columns(more);
    if (batch != null && (frames.isEmpty() || batch != columns(frames.getLast()))) {
      bytes += BATCH_FACTOR * batch.sourceBytes();
    }
    bytes += more.bytes().length;
    frames.add(more);
    rows += more.rows();
  }

  private static @Nullable Columns columns(Frames of) {
    EncodedRows origin = of.origin();
    return origin == null ? null : origin.columns();
  }

  int rows() {
    return rows;
  }

  /// About how much memory all takes.
  public long bytes() {
    return bytes;
  }

  /// Releases all.
  public void clear() {
    frames.forEach(Frames::release);
    frames.clear();
    rows = 0;
    bytes = 0;
    ends = new int[0][];
    rowsBefore = new int[0];
  }

  /// Whether a line of the COPY is a row of it: not if line ends may stand within values.
  boolean linesAreRows() {
    return frames.stream()
        .allMatch(each ->
            each.form().name().equals(PostgresForms.BINARY)
                || each.form().name().equals(PostgresForms.TEXT));
  }

  /// Takes the bytes of rows that follow each other.
  interface Sink {
    void send(byte[] bytes, int start, int length) throws SQLException;
  }

  /// Gives the bytes of the rows from `from` up to `to`.
  void send(int from, int to, Sink sink) throws SQLException {
    cut();
    for (int i = 0; i < frames.size(); i++) {
      int first = Math.max(0, from - rowsBefore[i]);
      int last = Math.min(frames.get(i).rows(), to - rowsBefore[i]);
      if (first < last) {
        int start = start(i, first);
        sink.send(frames.get(i).bytes(), start, ends[i][last - 1] - start);
      }
    }
  }

  /// A row as a bad record.
  Rejects.Reject reject(int row, String column, String reason) {
    cut();
    int i = Arrays.binarySearch(rowsBefore, row);
    i = i >= 0 ? i : -i - 2;
    // Frames without rows have the same number before them as those behind.
    while (frames.get(i).rows() <= row - rowsBefore[i]) {
      i++;
    }
    Frames in = frames.get(i);
    int inFrame = row - rowsBefore[i];
    EncodedRows origin = in.origin();
    return origin == null
        ? raw(in, inFrame, start(i, inFrame), ends[i][inFrame], column, reason)
        : Rejects.Reject.of(origin.columns(), origin.row(inFrame), column, reason);
  }

  /// Frames that nobody encoded are the source's own bytes: those of a CSV file are its records.
  private static Rejects.Reject raw(
      Frames in, int row, int start, int end, String column, String reason) {
    Location at = in.location();
    boolean isRecord = in.form().name().equals(PostgresForms.CSV);
    // Fewer bytes than the source's: records between them have been left out, or line ends made
    // alike. One more: the file's last record had no line end.
    boolean isComplete = isRecord && in.length() >= in.sourceBytes();
    long lines = 0;
    for (int i = in.start(); i < start; i++) {
      lines += in.bytes()[i] == '\n' ? 1 : 0;
    }
    return new Rejects.Reject(
        at.resource(),
        at.firstRow() > 0 && (isComplete || !isRecord) ? at.firstRow() + row : 0,
        at.firstLine() > 0 && isComplete ? at.firstLine() + lines : 0,
        at.byteOffset() >= 0 && isComplete ? at.byteOffset() + start - in.start() : -1,
        column,
        reason,
        isRecord ? Arrays.copyOfRange(in.bytes(), start, end) : NO_RECORD);
  }

  private int start(int frame, int row) {
    return row == 0 ? frames.get(frame).start() : ends[frame][row - 1];
  }

  private void cut() {
    if (ends.length == frames.size()) {
      return;
    }
    ends = new int[frames.size()][];
    rowsBefore = new int[frames.size()];
    int before = 0;
    for (int i = 0; i < ends.length; i++) {
      ends[i] = RowCuts.ends(frames.get(i));
      rowsBefore[i] = before;
      before += ends[i].length;
    }
  }
}
