package millrace.connectors.postgres.write;

import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.connectors.postgres.load.LoadFaults;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.net.Session;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.Stage;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import millrace.tuning.UnitTuner;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/// Rows by `INSERT`: as many at a time as a write unit has, or as turns out best, as one statement
/// or as one for each row, sent together. Values go as text and the server reads them by the types
/// of the table's columns, as it does for COPY.
///
/// Statements are prepared once a transaction and closed with it, since a pooler may give the next
/// one another server process. One thread.
public final class Inserts {

  /// Rows at a time to begin with, if nobody says how many.
  private static final int ROWS = 1000;

  private static final int ROWS_MIN = 100;

  /// So many may wait in memory for their statement.
  private static final int ROWS_MAX = 16_000;

  private static final long WAITING_BYTES_MAX = 4L << 20;

  /// The protocol counts parameters in 16 bits.
  private static final int PARAMETERS_MAX = 65_535;

  private final Session session;
  private final LoadPlan plan;
  private final String into;
  private final int width;
  private final boolean manyAtOnce;
  private final @Nullable Amount unit;
  private final UnitTuner tuner;
  private final WriteContext context;

  /// The values of the rows that wait, row by row; null is null.
  private final List<@Nullable String> values = new ArrayList<>();

  private long waitingBytes;
  private @Nullable Location first;
  private @Nullable PreparedStatement prepared;
  private int rowsPrepared;

  /// @param columns names of the columns that the rows have, in order
  public Inserts(
      Session session,
      LoadPlan plan,
      List<String> columns,
      InsertMethod method,
      WriteContext context) {
    this.session = session;
    this.context = context;
    this.plan = plan;
    width = columns.size();
    manyAtOnce = method == InsertMethod.DIRECT;
    unit = context.writeUnit();
    tuner = new UnitTuner(context.bestUnit(), new Amount(ROWS, false), ROWS_MIN, ROWS_MAX);
    into =
        columns.stream()
            .map(PostgresSql::name)
            .collect(
                Collectors.joining(
                    ", ",
                    "INSERT INTO " + plan.into().sql() + " (",
                    ")" + LoadColumn.overriding(plan.slots()) + " VALUES "));
  }

  /// Takes rows of text COPY; sends them once there are enough.
  ///
  /// @return how many the server took
  public long add(Frames rows) {
    long taken = 0;
    int at = rows.start();
    int end = rows.start() + rows.length();
    if (first == null) {
      first = rows.location();
    }
    while (at < end) {
      int rowEnd = rowEnd(rows.bytes(), at);
      row(rows.bytes(), at, rowEnd);
      waitingBytes += rowEnd + 1 - at;
      at = rowEnd + 1;
      if (isFull()) {
        taken += send();
        first = at < end ? rows.location() : null;
      }
    }
    return taken;
  }

  private boolean isFull() {
    int rows = values.size() / width;
    if (unit == null) {
      return rows >= tuner.unit() || waitingBytes >= WAITING_BYTES_MAX;
    }
    return unit.isReached(rows, waitingBytes);
  }

  private static int rowEnd(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /// A line feed in a value is escaped, so that the row ends at the first.
  private void row(byte[] bytes, int from, int end) {
    int start = from;
    for (int at = from; at <= end; at++) {
      if (at == end || bytes[at] == '\t') {
        values.add(value(bytes, start, at));
        start = at + 1;
      }
    }
  }

  private static @Nullable String value(byte[] bytes, int start, int end) {
    if (end - start == 2 && bytes[start] == '\\' && bytes[start + 1] == 'N') {
      return null;
    }
    byte[] plain = new byte[end - start];
    int length = 0;
    for (int at = start; at < end; at++) {
      byte value = bytes[at];
      if (value == '\\') {
        at++;
        value = unescaped(bytes[at]);
      }
      plain[length++] = value;
    }
    return new String(plain, 0, length, StandardCharsets.UTF_8);
  }

  /// What the encoder writes behind a backslash.
  private static byte unescaped(byte letter) {
    return switch (letter) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> letter;
    };
  }

  /// Sends what waits.
  ///
  /// @return how many rows the server took
  public long send() {
    int rows = values.size() / width;
    if (rows == 0) {
      return 0;
    }
    context.clock().enter(Stage.SERVER_WAIT);
    long begun = System.nanoTime();
    try {
      long taken = manyAtOnce ? manyAtOnce(rows) : oneEach(rows);
      if (unit == null) {
        reportUnit(rows, System.nanoTime() - begun);
      }
      context.clock().sent(waitingBytes);
      return taken;
    } catch (SQLException e) {
      throw fault(e);
    } finally {
      values.clear();
      waitingBytes = 0;
    }
  }

  private void reportUnit(int rows, long tookNanos) {
    if (rows < tuner.unit() && waitingBytes >= WAITING_BYTES_MAX) {
      tuner.cut(rows, tookNanos);
    } else {
      tuner.moved(rows, tookNanos);
    }
  }

  private long manyAtOnce(int rows) throws SQLException {
    int most = Math.max(1, PARAMETERS_MAX / width);
    long taken = 0;
    for (int from = 0; from < rows; from += most) {
      int count = Math.min(most, rows - from);
      PreparedStatement statement = prepared(count);
      bind(statement, from * width, count * width);
      session.called();
      taken += statement.executeUpdate();
    }
    return taken;
  }

  private long oneEach(int rows) throws SQLException {
    PreparedStatement statement = prepared(1);
    for (int row = 0; row < rows; row++) {
      bind(statement, row * width, width);
      statement.addBatch();
    }
    session.called();
    return Arrays.stream(statement.executeBatch()).asLongStream().sum();
  }

  private void bind(PreparedStatement statement, int from, int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      // Of no type that the driver would name: the server takes that of the column.
      statement.setObject(i + 1, values.get(from + i), Types.OTHER);
    }
  }

  private PreparedStatement prepared(int rows) throws SQLException {
    if (prepared == null || rowsPrepared != rows) {
      close();
      String row = "?, ".repeat(width - 1) + "?";
      prepared =
          session
              .driver()
              .prepareStatement(into + ("(" + row + "), ").repeat(rows - 1) + "(" + row + ")");
      prepared.unwrap(PGStatement.class).setPrepareThreshold(1);
      rowsPrepared = rows;
    }
    return prepared;
  }

  /// The transaction ends.
  public void close() throws SQLException {
    if (prepared != null) {
      prepared.close();
      prepared = null;
    }
  }

  /// The server names no row of a batch: the range of them is told.
  private Fault fault(SQLException e) {
    SQLException cause =
        e instanceof BatchUpdateException && e.getNextException() != null
            ? e.getNextException()
            : e;
    Fault fault = session.fault(cause);
    return fault instanceof Fault.Data
        ? new Fault.Data(
            plan.target().label() + ": " + LoadFaults.serverMessage(cause, plan) + place(),
            "Mend the row in the source, or load with --method native, which names it and can set"
                + " it aside.",
            first)
        : LoadFaults.explained(fault, plan);
  }

  private String place() {
    Location from = first;
    if (from == null) {
      return "";
    }
    return from.firstRow() > 0
        ? " (" + from.resource() + ", at row " + from.firstRow() + " or after)"
        : " (" + from.resource() + ", at line " + from.firstLine() + " or after)";
  }
}
