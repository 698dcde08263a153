package millrace.connectors.sql.plan;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.sql.types.RowParameters;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.read.Split;

/// Where the rows of a merge stood in the source: columns of the staging table beside those of the
/// rows. They tell which row of a key is the last, and name one that the target refuses.
///
/// One writer at a time uses it, then the session.
public final class StagedPlaces {

  /// Grows in the order of the source: the split, and the row's position in it.
  public static final String ORDER = "millrace_order";

  private static final String ROW = "millrace_row";
  private static final String LINE = "millrace_line";

  /// All of them.
  public static final List<String> COLUMNS = List.of(ORDER, ROW, LINE);

  private static final int ORDER_BITS = 40;

  /// By the numbers of splits.
  private final Map<Integer, String> resources;

  private int split;
  private long firstRow;
  private long[] lines = {};
  private Columns batch = Columns.standalone(Schema.of(List.of()), 0);

  /// Places of rows that one writer stages.
  public StagedPlaces() {
    this(new HashMap<>());
  }

  /// @param resources names of resources by the numbers of splits, which others may share
  public StagedPlaces(Map<Integer, String> resources) {
    this.resources = resources;
  }

  /// The rows to come are of that batch.
  public void start(Split of, Columns rows) {
    resources.put(of.index(), rows.location().resource());
    split = of.index();
    batch = rows;
    firstRow = rows.location().firstRow();
    lines = rows.lines();
  }

  /// Sets the parameters of a row.
  ///
  /// @param first the parameter to begin with
  /// @param before how many rows of the split came before the batch
  /// @param row its position in the batch
  public void set(RowParameters to, int first, long before, int row) throws SQLException {
    // Splits come in source order, whatever is read once more.
    long number = firstRow == 0 ? 0 : firstRow + batch.offset(row);
    // A rest of a split goes on with the numbers of the source, if it has any.
    to.setLong(first, ((long) split << ORDER_BITS) + (number == 0 ? before + row : number));
    to.setLong(first + 1, number);
    to.setLong(first + 2, lines[row]);
  }

  /// A row that the target refuses.
  ///
  /// @param order as it was staged; so are row and line
  /// @param why what the target says
  public Fault.Data refused(long order, long row, long line, String why) {
    String resource = resources.getOrDefault((int) (order >> ORDER_BITS), "");
    String place =
        resource + (line == 0 ? "" : ", line " + line) + (row == 0 ? "" : ", row " + row);
    return new Fault.Data(
        place + ": " + why,
        "Mend the record: rows that are merged can't be set aside.",
        new Location(resource, 0, row, line, -1));
  }
}
