package millrace.connectors.kudu.online;

import java.util.List;
import java.util.SplittableRandom;
import millrace.connectors.kudu.KuduCalls;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.Readings;

/// Writes rows for one thread, by a session of its own.
final class KuduRowWriter implements RowWriter {

  private final KuduOnlineTables tables;
  private final Marks marks;
  private final RunningCalls running;
  private final KuduCalls calls;
  private final RowSender sender;
  private final SplittableRandom random = new SplittableRandom();

  /// @param calls begun by the caller and ended by {@link #close}
  KuduRowWriter(
      KuduOnlineTables tables,
      Marks marks,
      RunningCalls running,
      KuduCalls calls,
      RowSender sender) {
    this.tables = tables;
    this.marks = marks;
    this.running = running;
    this.calls = calls;
    this.sender = sender;
  }

  /// Marks windows before the rows are written, so that no row is there without its mark. They are
  /// marked once more after that: the window may have been aggregated in between, and the first
  /// mark taken away, without the rows.
  @Override
  public void write(String table, Readings rows, List<Dirty> windows) {
    marks.add(windows, random, sender, calls);
    tables.on(
        table,
        calls,
        opened -> {
          ReadingTable into = new ReadingTable(opened);
          sender.send(opened, rows.rows(), i -> into.insertIgnore(rows, i));
          return null;
        });
    marks.add(windows, random, sender, calls);
  }

  @Override
  public void close() {
    try {
      sender.close();
    } finally {
      running.end(calls);
    }
  }
}
