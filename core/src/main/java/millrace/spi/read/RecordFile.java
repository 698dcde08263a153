package millrace.spi.read;

import java.io.Serializable;

/// How a source's bad records are laid out in a file, so that it can be mended and read as the
/// source was.
///
/// @param head what stands before the first record: a byte order mark, a header
/// @param end what ends a record, put behind one that lacks it; empty if records need no end
/// @param ofRows whether the source has no records of its own, but rows, which are spelled
public record RecordFile(byte[] head, byte[] end, boolean ofRows) implements Serializable {

  /// One record behind the other.
  public static final RecordFile PLAIN = new RecordFile(new byte[0], new byte[0]);

  /// Of a table: rows with named columns.
  public static final RecordFile ROWS = new RecordFile(new byte[0], new byte[0], true);

  /// Of a source that has records.
  public RecordFile(byte[] head, byte[] end) {
    this(head, end, false);
  }
}
