package millrace.connectors.duckdb.load;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.fault.Fault;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBFunctions;
import org.jspecify.annotations.Nullable;

/// One statement that takes all rows of a run: `INSERT INTO … SELECT … FROM` or `COPY (SELECT …
/// FROM) TO` the table function that the lanes' writers feed.
///
/// It runs on a thread of its own from {@link #start} until the last row is in; DuckDB adds threads
/// of its own. Made, started and ended by the target's thread; writers use its {@link #handover}.
public final class DuckDbLoad {

  /// How much of a value is shown to the user.
  static final int SHOWN_CHARACTERS = 60;

  /// Batches that wait for DuckDB, for each lane.
  private static final int PARCELS_PER_LANE = 2;

  /// A name once registered can't be given to another function while the database is open.
  private static final AtomicLong NUMBER = new AtomicLong();

  private final DuckDbDatabase database;
  private final DuckDBConnection connection;
  private final List<AppendColumn> slots;
  private final LongAdder taken = new LongAdder();
  private final Handover handover;
  private final BatchFunction batchFunction;
  private final Map<Integer, String> resources = new ConcurrentHashMap<>();
  private final CarriedColumns carriedColumns;
  private final int lanes;
  private final String function;
  private @Nullable Thread thread;
  private volatile @Nullable Statement running;
  private volatile @Nullable Fault failure;

  /// @param connection for the statement; the caller's before start and after the end
  /// @param slots where the batches' columns go
  /// @param carriedColumns what the rows bring beside their columns
  public DuckDbLoad(
      DuckDbDatabase database,
      DuckDBConnection connection,
      List<AppendColumn> slots,
      CarriedColumns carriedColumns,
      int lanes) {
    this.database = database;
    this.connection = connection;
    this.slots = slots;
    this.lanes = lanes;
    handover = new Handover(PARCELS_PER_LANE * lanes);
    this.carriedColumns = carriedColumns;
    batchFunction = new BatchFunction(slots, carriedColumns, handover, lanes);
    function = "millrace_rows_" + NUMBER.incrementAndGet();
  }

  /// Rows of the splits that have ended; any thread.
  public LongAdder taken() {
    return taken;
  }

  /// Where writers put their rows.
  Handover handover() {
    return handover;
  }

  /// The rows as a query: each column's value under its target's name, then what they bring beside
  /// them. If that is their place, a text that is no value of its column's type is told and not
  /// refused.
  public String rows() {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      columns.add(value(i) + " AS " + DuckDbSql.name(slots.get(i).name()));
    }
    carriedColumns.sent().forEach(column -> columns.add(column.name()));
    if (carriedColumns == CarriedColumns.PLACE) {
      columns.add(misfit(Integer::toString));
      columns.add(
          misfit(i -> "left(" + BatchFunction.column(i) + ", " + SHOWN_CHARACTERS + " + 1)"));
    }
    return "SELECT " + String.join(", ", columns) + " FROM " + function + "()";
  }

  private String value(int index) {
    AppendColumn appendColumn = slots.get(index);
    String sql = String.format(appendColumn.writing().sql(), BatchFunction.column(index));
    if (carriedColumns != CarriedColumns.PLACE || !appendColumn.mayMisfit()) {
      return sql;
    }
    String cast = "TRY_" + sql;
    if (!DuckDbTypes.isNested(appendColumn.declared())) {
      return cast;
    }
    // TRY takes all rows of a chunk one by one as soon as one of them fails.
    return "CASE WHEN "
        + NestedCast.isCast(appendColumn.declared(), BatchFunction.column(index), cast)
        + " THEN "
        + cast
        + " ELSE TRY("
        + sql
        + ") END";
  }

  /// Something of the first column whose text is no value of its type, as SQL.
  private String misfit(IntFunction<String> what) {
    String cases =
        IntStream.range(0, slots.size())
            .filter(i -> slots.get(i).mayMisfit())
            .mapToObj(i ->
                " WHEN "
                    + BatchFunction.column(i)
                    + " IS NOT NULL AND "
                    + value(i)
                    + " IS NULL THEN "
                    + what.apply(i))
            .collect(Collectors.joining());
    return cases.isEmpty() ? "NULL" : "CASE" + cases + " END";
  }

  /// Rows of that split come from that file or table. Any writer's thread.
  void cameFrom(int split, String resource) {
    if (carriedColumns == CarriedColumns.PLACE) {
      resources.put(split, resource);
    }
  }

  /// Where the rows of a split came from. Once all have come.
  String resource(int split) {
    return resources.getOrDefault(split, "");
  }

  /// Starts the statement and returns once DuckDB waits for rows.
  ///
  /// DuckDB plans an insert for several threads only if it need not keep the order of rows. That is
  /// an option of the whole database, so it is set for as long as the planning takes; one lane
  /// keeps the order. Its threads only compute, so more than there are processors would be in each
  /// other's way, however many lanes may come.
  public void start(String sql) {
    database.threads(Math.min(lanes, Runtime.getRuntime().availableProcessors()));
    database.moment().lock();
    try {
      DuckDBFunctions.tableFunction()
          .withName(function)
          .withFunction(batchFunction)
          .register(connection);
      if (lanes > 1) {
        database.set("preserve_insertion_order", "false");
      }
      thread = Thread.ofPlatform().name("duckdb-load").start(() -> run(sql));
      awaitStart();
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, database.label());
    } finally {
      if (lanes > 1) {
        database.set("preserve_insertion_order", "true");
      }
      database.moment().unlock();
    }
    Fault fault = failure;
    if (fault != null) {
      throw fault;
    }
  }

  private void awaitStart() {
    boolean interrupted = false;
    while (true) {
      try {
        batchFunction.started().await();
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(String sql) {
    try (Statement statement = connection.createStatement()) {
      running = statement;
      statement.execute(sql);
    } catch (SQLException | RuntimeException e) {
      fail(e);
    } finally {
      running = null;
      batchFunction.started().countDown();
    }
  }

  /// DuckDB tells of a fault that the table function threw as text with a stack trace; the fault
  /// itself waits in the hand-over.
  private void fail(Exception e) {
    Fault broken = handover.broken();
    Fault fault =
        broken != null ? broken : e instanceof Fault f ? f : DuckDbFaults.of(e, database.label());
    failure = fault;
    handover.breakOff(fault);
  }

  /// All rows have been handed over: waits until DuckDB has taken them.
  ///
  /// @throws Fault if it could not
  public void finish() {
    handover.finish();
    join();
    Fault fault = failure;
    if (fault != null) {
      throw fault;
    }
  }

  /// Ends the statement soon, from any thread; its rows are lost.
  void cancel() {
    handover.breakOff(new Fault.Cancelled(database.label() + ": loading was stopped"));
    Statement statement = running;
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        // It ended by itself in between.
        org.slf4j.LoggerFactory.getLogger(DuckDbLoad.class).debug("cancel failed", e);
      }
    }
  }

  /// Ends the statement and waits until the connection is free.
  public void abandon() {
    cancel();
    join();
  }

  private void join() {
    Thread running = thread;
    boolean interrupted = false;
    while (running != null && running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
