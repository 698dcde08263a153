package millrace.connectors.file;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.csv.RecordScanner;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.SplitReadCache;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// Cuts files into splits as lanes ask for them, always between two records.
///
/// It reads on from the last cut with the tokenizer's own rules, so that a line end inside quotes
/// is never taken for the end of a record, and knows the row and the line of each cut. That costs a
/// fraction of what parsing the same bytes does, and nothing if there is one lane or if a file has
/// to be read from its beginning: then each file is one split. What it reads it leaves to the
/// readers ({@link SplitReadCache}).
public final class FileSplits implements Splits {

  private final FileSource.Looked described;
  private final List<FileHead> heads;
  private final SplitReadCache read;
  private final long splitBytes;
  private final boolean cuts;
  private int index;
  private int nextFile;
  private @Nullable Cutter cutter;

  /// @param described the files
  /// @param read where the bytes of splits go
  /// @param lanes how many will ask
  FileSplits(FileSource.Looked described, SplitReadCache read, long splitBytes, int lanes) {
    this.described = described;
    heads = described.files().heads();
    this.read = read;
    this.splitBytes = splitBytes;
    cuts = lanes > 1;
  }

  @Override
  public @Nullable Split next() {
    while (true) {
      if (cutter != null) {
        Split split = cutter.next(index);
        if (split != null) {
          index++;
          return split;
        }
        cutter.close();
        cutter = null;
      }
      if (nextFile == heads.size()) {
        return null;
      }
      FileHead head = heads.get(nextFile++);
      if (!cuts || !head.canBeCut()) {
        return entireFile(head);
      }
      cutter = new Cutter(head, described.columns(head).width(), read, splitBytes);
    }
  }

  private Split entireFile(FileHead head) {
    long to = head.canBeCut() ? head.file().size() : Long.MAX_VALUE;
    return new Split(
        index++, head.file().resource(), head.fileDataStart(), to, 1, head.firstDataLine());
  }

  @Override
  public void close() {
    if (cutter != null) {
      cutter.close();
      cutter = null;
    }
  }

  /// Cuts one file.
  private static final class Cutter {
    private final FileHead head;
    private final String resource;
    private final RecordScanner scanner;
    private final SplitReadCache read;
    private final long splitBytes;
    private final ByteFeed byteFeed;

    /// What has been read and not been cut yet.
    private byte[] window;

    /// What the split begins with, as far as there was room.
    private List<SplitReadCache.Window> windows = new ArrayList<>();

    private boolean hasRoom = true;
    private int at;
    private int end;
    private boolean ended;
    private long offset;

    Cutter(FileHead head, int width, SplitReadCache read, long splitBytes) {
      this.head = head;
      resource = head.file().resource();
      this.read = read;
      this.splitBytes = splitBytes;
      window = read.first();
      scanner = RecordScanner.of(head.syntax(), width);
      offset = head.fileDataStart();
      byteFeed = head.file().open(offset, head.file().size());
    }

    /// The next split of the file, or null at its end.
    @Nullable Split next(int index) {
      long from = offset;
      long firstRow = scanner.records() + 1;
      long firstLine = scanner.lines() + head.firstDataLine();
      if (!cut(splitBytes > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + splitBytes)) {
        return null;
      }
      Split split = new Split(index, resource, from, offset, firstRow, firstLine);
      turn();
      read.put(split, windows);
      windows = new ArrayList<>();
      hasRoom = true;
      return split;
    }

    /// Goes on to the first boundary at that offset or after; false if there is nothing left.
    private boolean cut(long enough) {
      long from = offset;
      while (true) {
        if (at < end || ended) {
          int target = (int) Math.min(Integer.MAX_VALUE, enough - offset + at);
          int stopped = scanner.scan(window, at, end, Math.max(target, at), ended);
          offset += stopped - at;
          at = stopped;
          boolean done = at == end && ended;
          if (scanner.atBoundary() && offset > from && (offset >= enough || done)) {
            return true;
          }
          if (done) {
            return false;
          }
        }
        turn();
        more();
      }
    }

    /// What lies before `at` is the split's; what follows goes to the front of the next window.
    private void turn() {
      byte[] next = window;
      if (hasRoom && at > 0) {
        byte[] empty = read.empty();
        hasRoom = empty != null;
        if (empty != null) {
          windows.add(new SplitReadCache.Window(window, at));
          next = empty;
        }
      }
      System.arraycopy(window, at, next, 0, end - at);
      window = next;
      end -= at;
      at = 0;
    }

    private void more() {
      int filled = byteFeed.fill(window, end, window.length);
      ended = filled < window.length;
      end = filled;
    }

    void close() {
      byteFeed.close();
    }
  }
}
