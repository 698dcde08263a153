package millrace.connectors.duckdb.read;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/// What stands before a page of a Parquet file.
///
/// @param kind what kind of page it is
/// @param length bytes of the header
/// @param bytes bytes of the page, as they lie in the file
/// @param values how many values it has; 0 if it is no page of data
/// @param checksum CRC-32 of the page's bytes; null if whoever wrote it gave none
record PageHeader(Kind kind, int length, int bytes, int values, @Nullable Integer checksum) {

  /// In Parquet's order, each with the number of the field that a header of its kind has.
  enum Kind {
    DATA(5),
    INDEX(6),
    DICTIONARY(7),
    DATA_2(8);

    private final int field;

    Kind(int field) {
      this.field = field;
    }
  }

  private static final int KIND = 1;
  private static final int UNPACKED = 2;
  private static final int BYTES = 3;
  private static final int CHECKSUM = 4;
  private static final int FIELDS = 9;

  /// Reads a header at a buffer's position.
  ///
  /// @throws DataFormatException if it makes no sense
  /// @throws BufferUnderflowException if it is longer than the buffer
  static PageHeader read(ByteBuffer buffer) throws DataFormatException {
    int start = buffer.position();
    CompactFields fields = new CompactFields(buffer);
    int[] numbers = new int[FIELDS];
    boolean[] isGiven = new boolean[FIELDS];
    for (int id = fields.next(); id != 0; id = fields.next()) {
      if (id < 0 || id >= FIELDS || id == Kind.INDEX.field) {
        fields.skip();
        continue;
      }
      isGiven[id] = true;
      numbers[id] = id > CHECKSUM ? fields.firstOfStruct() : fields.number();
    }
    if (numbers[KIND] < 0 || numbers[KIND] >= Kind.values().length) {
      throw new DataFormatException();
    }
    Kind kind = Kind.values()[numbers[KIND]];
    int values = kind == Kind.INDEX ? 0 : numbers[kind.field];
    boolean isComplete =
        isGiven[KIND]
            && isGiven[UNPACKED]
            && isGiven[BYTES]
            && (kind == Kind.INDEX || isGiven[kind.field]);
    if (!isComplete || numbers[UNPACKED] < 0 || numbers[BYTES] < 0 || values < 0) {
      throw new DataFormatException();
    }
    return new PageHeader(
        kind,
        buffer.position() - start,
        numbers[BYTES],
        values,
        isGiven[CHECKSUM] ? numbers[CHECKSUM] : null);
  }

  /// Whether its values are those of rows.
  boolean isData() {
    return kind == Kind.DATA || kind == Kind.DATA_2;
  }
}
