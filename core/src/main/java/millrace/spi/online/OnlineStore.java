package millrace.spi.online;

import java.util.List;
import millrace.spi.online.OnlineLayout.Level;

/// The tables of one online run.
///
/// Any thread may call its methods, several at once; a {@link RowWriter} belongs to one thread.
/// Whatever a method has done is durable when it returns. All throw {@link millrace.fault.Fault}; a
/// call that failed may be made again, even if it was carried out.
public interface OnlineStore extends AutoCloseable {

  /// Keeps other runs off the tables until the store is closed or its process has ended. Called
  /// once by a run, before {@link #create}. Does nothing if nobody else can reach the tables.
  ///
  /// @throws millrace.fault.Fault.User if another run works with them
  default void claim() {}

  /// Makes all tables; those of an earlier run are removed first.
  ///
  /// @throws millrace.fault.Fault.User if a table is there that no such run has made
  void create();

  /// Takes the tables of {@link #create} back to how a run found them, for the next run of a
  /// search: what arrived and all marks are gone, and each level above keeps its past alone.
  ///
  /// @param start when the runs begin, in microseconds since 1970: windows that end by then are the
  ///   past
  /// @param devices of how many devices the past stays, counted as {@link Readings#add} does
  void restore(long start, long devices);

  /// Makes the range partitions of what arrives that cover a span and are missing. Called ahead of
  /// the rows. Does nothing if there are none.
  ///
  /// @return the beginnings of those that were made, in microseconds since 1970
  List<Long> addPartitions(Window span);

  /// What writes rows; the caller closes it.
  RowWriter writer();

  /// What makes rows into what the system takes and keeps none of them, to see how many the clients
  /// alone can offer. Called once the tables are made; the caller closes it.
  RowWriter encoder();

  /// Aggregates one window of a level from the level below: a row for each device, with the sum.
  /// Rows that are there already are replaced.
  ///
  /// @param below the level that is added up
  /// @param level the level whose window it is
  /// @return how many rows it wrote
  long aggregate(Level below, Level level, Window window);

  /// Adds up the rows of a table in a span, without rounding.
  Sums sums(String table, Window span);

  /// Compares a window of a level with the level below, device by device.
  ///
  /// @return how many rows differ: their sum is another one, or they are missing, or are too many
  long differing(Level below, Level level, Window window);

  /// What a user would ask: how many rows a device has in a day, or all devices at one instant.
  ///
  /// @param device its number over all buildings; -1 for all devices
  /// @return how many rows were read
  long probe(Level level, long device, Window span);

  /// The windows that are marked to be aggregated again, each with its level's name.
  List<Dirty> dirty();

  /// Takes the mark of a window away. If the window was aggregated by this store, a mark that was
  /// made since stays: its rows may be missing from the sums.
  void clean(Dirty window);

  /// A window that is to be aggregated again.
  record Dirty(String level, long start) {}

  /// What a table holds.
  record Sums(long rows, long watts) {}

  /// Stops what is under way, from any thread: such calls throw soon.
  void cancel();

  @Override
  void close();

  /// Writes rows, for one thread.
  interface RowWriter extends AutoCloseable {

    /// Writes rows into a table, and marks windows as dirty. Marks are durable no later than the
    /// rows. A row whose key is there already is left as it is.
    void write(String table, Readings rows, List<Dirty> marks);

    @Override
    void close();
  }
}
