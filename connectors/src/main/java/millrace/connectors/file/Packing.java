package millrace.connectors.file;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/// How a file is compressed: told by its first bytes on read, by its name on write.
enum Packing {
  NONE(""),
  /// RFC 1952; several members one after the other are one stream.
  GZIP(".gz"),
  /// RFC 8878; several frames one after the other are one stream.
  ZSTD(".zst");

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int ZSTD_FRAME = 0xFD2FB528;

  /// A frame to be stepped over, by its last four bits of any kind: pzstd begins a file with one.
  private static final int ZSTD_SKIPPED = 0x184D2A50;

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

  /// The name that such a file had before it was compressed, or has when it is no more.
  static String plainName(String name) {
    return name.substring(0, name.length() - ofName(name).ending.length());
  }

  /// What a file's first bytes say: the magic numbers of the two formats.
  static Packing ofBytes(byte[] bytes, int length) {
    if (length >= 2 && bytes[0] == 0x1F && bytes[1] == (byte) 0x8B) {
      return GZIP;
    }
    if (length < 4) {
      return NONE;
    }
    int magic = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
    return magic == ZSTD_FRAME || (magic & ~0xF) == ZSTD_SKIPPED ? ZSTD : NONE;
  }

  /// The bytes that were compressed.
  InputStream open(InputStream packed) throws IOException {
    return switch (this) {
      case NONE -> packed;
      case GZIP -> new GzipMembers(packed);
      case ZSTD -> new ZstdInputStream(new BufferedInputStream(packed, BUFFER_BYTES));
    };
  }
}
