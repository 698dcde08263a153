package millrace.connectors.file.io;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/// What the members of a gzip file hold, one after the other. GZIPInputStream of the JDK takes
/// whatever is no member for the end: all behind a damaged header, or behind one that is cut off,
/// would be lost without a word. Here only zeros may follow the last one, as tapes and block
/// devices leave them.
final class GzipMembers extends InflaterInputStream {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAGIC = 0x8B1F;
  private static final int DEFLATED = 8;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;

  private final CRC32 sum = new CRC32();
  private final CRC32 headerSum = new CRC32();

  /// How many bytes of the buffer the inflater has not been given or has given back.
  private int left;

  private boolean ended;

  GzipMembers(InputStream packed) throws IOException {
    super(packed, new Inflater(true), BUFFER_BYTES);
    if (next() != (MAGIC & 0xFF)) {
      throw new ZipException("it does not begin as gzip does");
    }
    begin();
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    while (!ended) {
      int taken = super.read(into, at, length);
      if (taken >= 0) {
        sum.update(into, at, taken);
        return taken;
      }
      left = inf.getRemaining();
      end();
      follow();
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    super.close();
    inf.end();
  }

  /// Reads the header of a member behind its first byte.
  private void begin() throws IOException {
    headerSum.reset();
    headerSum.update(MAGIC & 0xFF);
    if (header() != MAGIC >> 8) {
      throw new ZipException("what follows a member is none");
    }
    if (header() != DEFLATED) {
      throw new ZipException("a member is compressed in no known way");
    }
    int flags = header();
    // The time, the effort and the system.
    skip(6);
    if ((flags & FLAG_EXTRA) != 0) {
      int low = header();
      skip(low + 256 * header());
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText();
    }
    if ((flags & FLAG_HEADER_CRC) != 0) {
      long expected = headerSum.getValue() & 0xFFFF;
      if (number(2) != expected) {
        throw new ZipException("a member's header has another checksum than it says");
      }
    }
    inf.reset();
    inf.setInput(buf, len - left, left);
    sum.reset();
  }

  /// Compares what a member held with what its end says.
  private void end() throws IOException {
    if (number(4) != sum.getValue() || number(4) != (inf.getBytesWritten() & 0xFFFF_FFFFL)) {
      throw new ZipException("its data have another checksum or length than it says");
    }
  }

  /// Begins the next member, if there is one.
  private void follow() throws IOException {
    int first = next();
    if (first == (MAGIC & 0xFF)) {
      begin();
      return;
    }
    while (first == 0) {
      first = next();
    }
    if (first > 0) {
      throw new ZipException("something that is no gzip follows its data");
    }
    ended = true;
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      header();
    }
  }

  private void skipText() throws IOException {
    while (header() != 0) {
      // Goes on to the zero behind it.
    }
  }

  private int header() throws IOException {
    int next = certain();
    headerSum.update(next);
    return next;
  }

  /// An unsigned number, the lowest byte first.
  private long number(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (long) certain() << (8 * i);
    }
    return number;
  }

  private int certain() throws IOException {
    int next = next();
    if (next < 0) {
      throw new EOFException();
    }
    return next;
  }

  /// The next byte of the file; -1 at its end.
  private int next() throws IOException {
    if (left == 0) {
      len = Math.max(0, in.read(buf, 0, buf.length));
      left = len;
    }
    return left == 0 ? -1 : buf[len - left--] & 0xFF;
  }
}
