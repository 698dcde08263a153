package millrace.connectors.file;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/// How a file is compressed: told by its first bytes on read, by its name on write.
enum Packing {
  NONE(""),
  /// RFC 1952; several members one after the other are one stream.
  GZIP(".gz"),
  /// RFC 8878; several frames one after the other are one stream.
  ZSTD(".zst");

  private static final int BUFFER_BYTES = 1 << 16;

  private final String ending;

  Packing(String ending) {
    this.ending = ending;
  }

  /// What the names of such files end in.
  String ending() {
    return ending;
  }

  /// What a file's name promises.
  static Packing ofName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(GZIP.ending)) {
      return GZIP;
    }
    return lower.endsWith(ZSTD.ending) ? ZSTD : NONE;
  }

  /// What a file's first bytes say: the magic numbers of the two formats.
  static Packing ofBytes(byte[] bytes, int length) {
    if (length >= 2 && bytes[0] == 0x1F && bytes[1] == (byte) 0x8B) {
      return GZIP;
    }
    if (length >= 4
        && bytes[0] == 0x28
        && bytes[1] == (byte) 0xB5
        && bytes[2] == 0x2F
        && bytes[3] == (byte) 0xFD) {
      return ZSTD;
    }
    return NONE;
  }

  /// The bytes that were compressed.
  InputStream open(InputStream packed) throws IOException {
    return switch (this) {
      case NONE -> packed;
      case GZIP -> new GZIPInputStream(new Whole(packed), BUFFER_BYTES);
      case ZSTD -> new ZstdInputStream(new BufferedInputStream(packed, BUFFER_BYTES));
    };
  }

  /// Says that bytes are available until the end is really there: GZIPInputStream asks that before
  /// it looks for another member, and a pipe that is slow for a moment would end the stream.
  private static final class Whole extends BufferedInputStream {

    Whole(InputStream packed) {
      super(packed, BUFFER_BYTES);
    }

    @Override
    public synchronized int available() throws IOException {
      if (super.available() > 0) {
        return super.available();
      }
      mark(1);
      int next = read();
      reset();
      return next < 0 ? 0 : 1;
    }
  }
}
