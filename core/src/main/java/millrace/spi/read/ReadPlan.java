package millrace.spi.read;

import java.io.Serializable;
import java.util.List;
import millrace.data.Form;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// How a source is read. With the endpoint and a split it is all that another process needs to read
/// that split.
///
/// @param selection what the source was opened for
/// @param columnRequest what it was described for
/// @param form the form that readers give batches in
/// @param fallback the form for batches that do not fit, or null if there is none: then a value
///   that does not fit is a bad record
/// @param splitBytes about how many bytes of the source a split is to have
/// @param lanes most lanes at once
/// @param checksums whether readers add up the rows of each split, whatever order they come in, so
///   that a later run can see whether they are still the same
/// @param taken what an earlier run has taken, which is not asked for again
public record ReadPlan(
    Selection selection,
    ColumnRequest columnRequest,
    Form form,
    @Nullable Form fallback,
    long splitBytes,
    int lanes,
    boolean checksums,
    List<Receipt> taken)
    implements Serializable {

  public ReadPlan {
    taken = List.copyOf(taken);
  }

  /// One that reads everything from the start, in columns.
  public static ReadPlan of(ColumnRequest columnRequest, long splitBytes, int lanes) {
    return new ReadPlan(
        Selection.ALL, columnRequest, Form.COLUMNS, null, splitBytes, lanes, false, List.of());
  }
}
