package millrace.connectors.couchdb.read;

import java.util.Arrays;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Records;
import millrace.data.spelling.RowRecord;
import millrace.fault.Location;
import millrace.spi.write.Rejects.Reject;
import org.jspecify.annotations.Nullable;

/// Where a document on its way came from, should it turn out to be a bad record.
///
/// @param place where it stood in its source, as far as that is known
/// @param rowOfSplit its number within its split; 0 if unknown
/// @param record the record that it was made of; null if it is the document itself
public record DocumentOrigin(Location place, long rowOfSplit, byte @Nullable [] record) {

  private static final byte[] NOTHING = {};

  private DocumentOrigin(Location place) {
    this(place, 0, null);
  }

  /// Of a line of frames: a document each.
  ///
  /// @param row its position in the frames, from 0
  /// @param start where it begins
  public static DocumentOrigin of(Frames frames, int row, int start) {
    Location first = frames.location();
    if (first.firstRow() == 0 && first.byteOffset() < 0) {
      return new DocumentOrigin(first);
    }
    // Fewer bytes than the source's: records between them have been left out, or line ends made
    // alike. One more: the file's last record had no line end.
    if (frames.length() < frames.sourceBytes()) {
      return new DocumentOrigin(new Location(first.resource(), first.split(), 0, 0, -1));
    }
    long number = first.firstRow() == 0 ? 0 : first.firstRow() + row;
    long line = first.firstLine() == 0 ? 0 : first.firstLine() + row;
    long offset = first.byteOffset() < 0 ? -1 : first.byteOffset() + start - frames.start();
    return new DocumentOrigin(new Location(first.resource(), first.split(), number, line, offset));
  }

  /// Of a row of columns.
  ///
  /// @param row its position in the batch, from 0
  /// @param spelling of rows without records; null if nobody will ask for the record
  public static DocumentOrigin of(Columns batch, int row, @Nullable RowRecord spelling) {
    Records records = batch.origin();
    byte[] record = null;
    if (records == null) {
      record = spelling == null ? NOTHING : spelling.spell(batch.asRead().vectors(), row);
    } else if (spelling != null) {
      record = records.record(row);
    }
    return new DocumentOrigin(batch.place(row), batch.rowOfSplit(row), record);
  }

  /// It as a bad record.
  ///
  /// @param document its bytes, for where it is the record
  public Reject reject(String reason, byte[] document) {
    byte[] bytes = record;
    if (bytes == null) {
      bytes = Arrays.copyOf(document, document.length + 1);
      bytes[document.length] = '\n';
    }
    return new Reject(
        place.resource(),
        place.firstRow(),
        place.firstLine(),
        place.byteOffset(),
        "",
        reason,
        bytes,
        rowOfSplit == 0 ? null : new Reject.InSplit(place.split(), rowOfSplit));
  }
}
