package millrace.connectors.duckdb.read;

import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/// Goes over the pages of one file of Parquet, from header to header, and compares their bytes with
/// their checksums. It unpacks nothing. One thread uses it.
final class PageWalk implements Closeable {

  private static final int HEADER_BYTES = 1 << 12;

  /// No reader takes a longer one.
  private static final int HEADER_BYTES_MAX = 16 << 20;

  private static final int BUFFER_BYTES = 1 << 17;

  /// What ends a file: the footer's length, and a mark.
  private static final int END_BYTES = 8;

  private final FileChannel file;

  /// Where its pages end at the latest: the first byte of its footer.
  private final long end;

  private final byte[] buffer = new byte[BUFFER_BYTES];

  private PageWalk(FileChannel file) throws IOException {
    this.file = file;
    ByteBuffer last = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long size = file.size();
    end =
        size < END_BYTES || file.read(last, size - END_BYTES) < Integer.BYTES
            ? 0
            : size - END_BYTES - Integer.toUnsignedLong(last.getInt(0));
  }

  /// Opens a file, which is to be closed.
  static PageWalk of(Path path) throws IOException {
    FileChannel file = FileChannel.open(path);
    try {
      return new PageWalk(file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /// Whether the first page of a column's has a checksum.
  boolean hasChecksum(ColumnPages pages) throws IOException {
    try {
      return pages.offset() >= 0
          && pages.offset() < end
          && header(pages.offset(), end).checksum() != null;
    } catch (DataFormatException e) {
      return false;
    }
  }

  /// What is wrong with a column's pages, and where; null if nothing can be seen.
  ///
  /// @param isStopped whether to end early, asked now and then
  @Nullable String damage(ColumnPages pages, BooleanSupplier isStopped) throws IOException {
    long last = pages.offset() + pages.bytes();
    if (pages.offset() < 0 || pages.bytes() < 0 || last < 0 || last > end) {
      return pages.where("the pages", "from byte " + pages.offset() + " on")
          + ": its footer says that they have "
          + pages.bytes()
          + " bytes, and what the footer speaks of ends at byte "
          + end;
    }
    long at = pages.offset();
    long values = 0;
    while (values < pages.values() && at < last && !isStopped.getAsBoolean()) {
      PageHeader header;
      try {
        header = header(at, last);
      } catch (DataFormatException e) {
        return pages.where("a page", "byte " + at) + ": the page's header makes no sense";
      }
      String where = pages.where(words(header.kind()), "byte " + at);
      long from = at + header.length();
      if (from + header.bytes() > last) {
        return where
            + ": the page's header says that it has "
            + header.bytes()
            + " bytes, and there are "
            + (last - from);
      }
      Integer checksum = header.checksum();
      if (checksum != null && checksum(from, header.bytes(), isStopped) != checksum) {
        return where + ": the page's bytes do not agree with its checksum";
      }
      at = from + header.bytes();
      values += header.isData() ? header.values() : 0;
    }
    return values == pages.values() || isStopped.getAsBoolean()
        ? null
        : pages.where("the pages", "from byte " + pages.offset() + " on")
            + ": their headers say that they have "
            + values
            + " values, and the footer says "
            + pages.values();
  }

  private static String words(PageHeader.Kind kind) {
    return kind == PageHeader.Kind.DICTIONARY ? "the dictionary page" : "a page";
  }

  private PageHeader header(long at, long last) throws IOException, DataFormatException {
    long room = Math.min(last - at, HEADER_BYTES_MAX);
    int bytes = (int) Math.min(HEADER_BYTES, room);
    while (true) {
      ByteBuffer found = ByteBuffer.allocate(bytes);
      while (found.hasRemaining() && file.read(found, at + found.position()) >= 0) {}
      try {
        return PageHeader.read(found.flip());
      } catch (BufferUnderflowException e) {
        if (bytes == room) {
          throw new DataFormatException();
        }
        bytes = (int) Math.min(bytes * 8L, room);
      }
    }
  }

  private int checksum(long from, int bytes, BooleanSupplier isStopped) throws IOException {
    CRC32 sum = new CRC32();
    long at = from;
    long last = from + bytes;
    while (at < last && !isStopped.getAsBoolean()) {
      ByteBuffer part = ByteBuffer.wrap(buffer, 0, (int) Math.min(buffer.length, last - at));
      int count = file.read(part, at);
      if (count < 0) {
        break;
      }
      sum.update(buffer, 0, count);
      at += count;
    }
    return (int) sum.getValue();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
