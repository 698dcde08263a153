package millrace.online.run;

import java.util.List;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;

/// Keeps nothing: what the generator alone can offer is measured by it.
class NullStore implements OnlineStore {

  @Override
  public void create() {
    // There are no tables.
  }

  @Override
  public void restore(long start, long devices) {
    // There are no tables.
  }

  @Override
  public List<Long> addPartitions(Window span) {
    return List.of();
  }

  @Override
  public RowWriter writer() {
    return new RowWriter() {
      @Override
      public void write(String table, Readings rows, List<Dirty> marks) {
        // Nothing is kept.
      }

      @Override
      public void close() {
        // Nothing is held.
      }
    };
  }

  @Override
  public RowWriter encoder() {
    return writer();
  }

  @Override
  public long aggregate(Level below, Level level, Window window) {
    return 0;
  }

  @Override
  public Sums sums(String table, Window span) {
    return new Sums(0, 0);
  }

  @Override
  public long differing(Level below, Level level, Window window) {
    return 0;
  }

  @Override
  public long probe(Level level, long device, Window span) {
    return 0;
  }

  @Override
  public List<Dirty> dirty() {
    return List.of();
  }

  @Override
  public void clean(Dirty window) {
    // There are no marks.
  }

  @Override
  public void cancel() {
    // Nothing waits.
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
