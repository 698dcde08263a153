package millrace.connectors.file.io;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import millrace.io.FileFormat;
import org.jspecify.annotations.Nullable;

/// How a file is compressed: told by its first bytes on read, by its name on write.
public enum Compression {
  NONE("", null),
  /// RFC 1952; several members one after the other are one stream.
  GZIP(".gz", FileFormat.GZIP),
  /// RFC 8878; several frames one after the other are one stream.
  ZSTD(".zst", FileFormat.ZSTD),
  /// Read only, as are those that follow; several streams one after the other are one.
  BZIP2(".bz2", FileFormat.BZIP2),
  XZ(".xz", FileFormat.XZ),
  /// With one file in it.
  ZIP(".zip", FileFormat.ZIP);

  private static final int BUFFER_BYTES = 1 << 16;

  private final String ending;
  private final @Nullable FileFormat format;

  Compression(String ending, @Nullable FileFormat format) {
    this.ending = ending;
    this.format = format;
  }

  /// What the names of such files end in.
  public String ending() {
    return ending;
  }

  /// What a file's first bytes say.
  @Nullable
  public FileFormat format() {
    return format;
  }

  /// Whether such files are written too.
  public boolean isWritten() {
    return this == NONE || this == GZIP || this == ZSTD;
  }

  /// What a file's name promises.
  public static Compression ofName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (Compression compression : values()) {
      if (compression != NONE && lower.endsWith(compression.ending)) {
        return compression;
      }
    }
    return NONE;
  }

  /// The name that such a file had before it was compressed, or has when it is no more.
  public static String plainName(String name) {
    return name.substring(0, name.length() - ofName(name).ending.length());
  }

  /// What a file's first bytes say.
  public static Compression ofBytes(byte[] bytes, int length) {
    FileFormat found = FileFormat.of(bytes, length);
    for (Compression compression : values()) {
      if (compression.format == found) {
        return compression;
      }
    }
    return NONE;
  }

  /// The bytes that were compressed.
  InputStream open(InputStream packed) throws IOException {
    return switch (this) {
      case NONE -> packed;
      case GZIP -> new GzipMembers(packed);
      case ZSTD -> new ZstdInputStream(new BufferedInputStream(packed, BUFFER_BYTES));
      case BZIP2 -> Unpacker.bzip2(new BufferedInputStream(packed, BUFFER_BYTES));
      case XZ -> Unpacker.xz(new BufferedInputStream(packed, BUFFER_BYTES));
      case ZIP -> Unpacker.zip(new BufferedInputStream(packed, BUFFER_BYTES));
    };
  }
}
