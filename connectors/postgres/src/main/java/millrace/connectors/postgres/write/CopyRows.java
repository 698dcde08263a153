package millrace.connectors.postgres.write;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.connectors.postgres.load.LoadFaults;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.net.CopyLine;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.ServerErrorMessage;

/// Remembers which batches went into a COPY, so that the server's `COPY t, line 5, column a: "x"`
/// can be told as a place in the source.
public final class CopyRows {

  private static final int SHOWN_CHARACTERS = 60;

  /// The server's function that finds out that a row fits no block.
  private static final String ROW_TOO_BIG = "RelationGetBufferForTuple";

  private static final String ADVICE = "Mend the row in the source, or leave it out with --where.";

  private static final String ADVICE_BY_ROW =
      "Mend the row in the source, leave it out with --where, or set bad ones aside with"
          + " --max-rejects N --rejects FILE.";

  private static final String FROZEN_ADVICE =
      "With --freeze rows can't be sent again without the bad ones: leave it out, and --max-rejects"
          + " sets them aside. Or mend the row in the source.";

  private record Begun(long rowsBefore, Location location) {

    /// Whether the rows that follow in the COPY are those that follow in the source, and known by
    /// their numbers alone.
    boolean leadsTo(long rows, Location next) {
      return location.firstRow() > 0
          && next.resource().equals(location.resource())
          && next.firstRow() - location.firstRow() == rows - rowsBefore;
    }
  }

  private final List<Begun> batches = new ArrayList<>();
  private long rows;

  /// A COPY begins.
  public void begin() {
    batches.clear();
    rows = 0;
  }

  /// The rows that follow are of a batch that begins there.
  public void batch(Location location) {
    if (batches.isEmpty() || !batches.getLast().leadsTo(rows, location)) {
      batches.add(new Begun(rows, location));
    }
  }

  public void add(int more) {
    rows += more;
  }

  /// How many rows went into this COPY.
  public long rows() {
    return rows;
  }

  /// What the server refused, told with the place in the source, and under the name of the table
  /// that the user knows.
  ///
  /// @param rejects whether the user wants bad records set aside, and may
  public Fault fault(SQLException e, LoadPlan plan, Rejects rejects) {
    Fault plain = PostgresFaults.of(e);
    ServerErrorMessage server = PostgresFaults.server(e);
    if (server == null || !(plain instanceof Fault.Data)) {
      return LoadFaults.explained(plain, plan);
    }
    String serverMessage = LoadFaults.serverMessage(e, plan);
    CopyLine where = where(e, plan);
    if (where == null) {
      return new Fault.Data(
          plan.target().label() + ": " + serverMessage, advice(plan, rejects, ADVICE), null);
    }
    long line = Math.min(where.number(), rows);
    Begun begun = batchOf(line);
    StringBuilder message = new StringBuilder(plan.target().label());
    String column = where.column(names(plan));
    if (!column.isEmpty()) {
      message.append(", column ").append(column);
    }
    message.append(": ").append(serverMessage);
    message.append(shortened(where.value(column)));
    if (begun != null) {
      // The server inserts many rows at once, and knows only the last of them when one is too big.
      String before = isRowTooBig(e) ? ", or one of the rows just before" : "";
      message.append(" (").append(place(begun, line)).append(before).append(')');
    }
    return new Fault.Data(
        message.toString(),
        advice(plan, rejects, plan.frozen() ? ADVICE : ADVICE_BY_ROW),
        begun == null ? null : begun.location);
  }

  /// @param unrequested what to advise somebody who has not asked for bad rows to be set aside
  private static String advice(LoadPlan plan, Rejects rejects, String unrequested) {
    if (!rejects.allowed()) {
      String never = rejects.adviceIfNever();
      return never.isEmpty() ? unrequested : never;
    }
    return plan.frozen() ? FROZEN_ADVICE : ADVICE;
  }

  /// Which row of a COPY the server names, from 1; 0 if it names none that could be believed.
  static long line(SQLException e, LoadPlan plan) {
    CopyLine where = where(e, plan);
    return where == null || isRowTooBig(e) ? 0 : where.number();
  }

  private static boolean isRowTooBig(SQLException e) {
    ServerErrorMessage server = PostgresFaults.server(e);
    return server != null && ROW_TOO_BIG.equals(server.getRoutine());
  }

  /// The column that a refusal is about; empty if the server names none.
  static String column(SQLException e, LoadPlan plan) {
    CopyLine where = where(e, plan);
    String found = where == null ? "" : where.column(names(plan));
    ServerErrorMessage server = PostgresFaults.server(e);
    String named = server == null ? null : server.getColumn();
    return !found.isEmpty() || named == null ? found : named;
  }

  /// Why the server refused a row, with the value if it tells it.
  static String reason(SQLException e, LoadPlan plan) {
    CopyLine where = where(e, plan);
    String value = where == null ? "" : shortened(where.value(column(e, plan)));
    return LoadFaults.serverMessage(e, plan) + value;
  }

  private static List<String> names(LoadPlan plan) {
    return plan.slots().stream().map(LoadColumn::name).toList();
  }

  private static @Nullable CopyLine where(SQLException e, LoadPlan plan) {
    ServerErrorMessage server = PostgresFaults.server(e);
    String context = server == null ? null : server.getWhere();
    return context == null ? null : CopyLine.of(context, plan.into());
  }

  private @Nullable Begun batchOf(long line) {
    Begun found = null;
    for (Begun begun : batches) {
      if (begun.rowsBefore < line) {
        found = begun;
      }
    }
    return found;
  }

  private static String place(Begun begun, long line) {
    Location location = begun.location;
    long rowInBatch = line - begun.rowsBefore;
    if (location.firstRow() > 0) {
      return location.resource() + ", about row " + (location.firstRow() + rowInBatch - 1);
    }
    if (location.firstLine() > 0) {
      return location.resource() + ", line " + location.firstLine() + " or after";
    }
    return location.resource() + ", split " + location.split();
  }

  private static String shortened(String value) {
    if (value.isEmpty()) {
      return "";
    }
    String line = value.lines().findFirst().orElse("");
    return ": "
        + (line.codePointCount(0, line.length()) <= SHOWN_CHARACTERS
            ? line
            : line.substring(0, line.offsetByCodePoints(0, SHOWN_CHARACTERS)) + "…");
  }
}
