package millrace.spi.write;

import java.io.Serializable;
import millrace.data.Columns;
import millrace.data.spelling.RowRecord;
import millrace.fault.Location;
import org.jspecify.annotations.Nullable;

/// Where bad records go. Threads may share it.
public interface Rejects {

  /// Sets a bad record aside.
  ///
  /// @throws millrace.fault.Fault.Data at once if no more may be set aside (by default: none)
  void reject(Reject reject);

  /// Whether any record may be set aside at all.
  boolean allowed();

  /// What to advise instead if no option can set any aside, since rows of the target are deleted
  /// whose key did not come; empty if there is such an option.
  default String adviceIfNever() {
    return "";
  }

  /// A bad record.
  ///
  /// @param resource the file or table
  /// @param row number of the record in it, from 1; 0 if unknown
  /// @param line line it starts on, from 1; 0 if there are none
  /// @param byteOffset byte it starts at, from 0; -1 where there are none
  /// @param column name of the column at fault, or empty if it is the record as a whole
  /// @param reason what is wrong, the value cut short, as a sentence
  /// @param record the record byte for byte, or, from a source without records, the row as it was
  ///   read, as {@link RowRecord} spells it; empty if there is none
  /// @param inSplit where in its split it stood, if that is known
  record Reject(
      String resource,
      long row,
      long line,
      long byteOffset,
      String column,
      String reason,
      byte[] record,
      @Nullable InSplit inSplit)
      implements Serializable {

    /// A row of a split, from 1: the same whenever the split is read.
    public record InSplit(int split, long row) implements Serializable {}

    /// A bad record of which nobody knows where in its split it stood.
    public Reject(
        String resource,
        long row,
        long line,
        long byteOffset,
        String column,
        String reason,
        byte[] record) {
      this(resource, row, line, byteOffset, column, reason, record, null);
    }

    /// Whether it is known where in its source it stood.
    public boolean hasPlace() {
      return row > 0 || byteOffset >= 0;
    }

    /// A row of a batch, with all that the batch knows of where it stood.
    ///
    /// @param row its position in the batch, from 0
    public static Reject of(Columns batch, int row, String column, String reason) {
      Location place = batch.place(row);
      long ofSplit = batch.rowOfSplit(row);
      return new Reject(
          place.resource(),
          place.firstRow(),
          place.firstLine(),
          place.byteOffset(),
          column,
          reason,
          RowRecord.of(batch, row),
          ofSplit == 0 ? null : new InSplit(place.split(), ofSplit));
    }
  }
}
