package millrace.engine.remote;

import millrace.spi.StageClock;

/// Counts what an attempt at a split tells in the clocks of its lane, whose thread waits for it
/// meanwhile, until it is over: then its result counts.
final class CountedUnderWay implements Cluster.UnderWay {

  private final StageClock reader;
  private final StageClock writer;
  private long rows;
  private long bytes;
  private boolean over;

  CountedUnderWay(StageClock reader, StageClock writer) {
    this.reader = reader;
    this.writer = writer;
  }

  @Override
  public synchronized void tell(long rows, long bytes) {
    if (!over) {
      count(rows, bytes);
    }
  }

  /// Takes back what was told; what comes late is not counted.
  synchronized void end() {
    over = true;
    count(0, 0);
  }

  private void count(long nowRows, long nowBytes) {
    reader.passed(nowRows - rows, nowBytes - bytes);
    writer.passed(nowRows - rows, 0);
    rows = nowRows;
    bytes = nowBytes;
  }
}
