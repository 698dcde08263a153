package millrace.connectors.file.io;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipException;
import millrace.fault.Fault;
import org.apache.commons.compress.MemoryLimitException;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/// What Apache Commons Compress decompresses, in a class by itself: other copies load nothing of
/// it.
public final class Unpacker {

  /// How many members of a zip file a message names.
  private static final int NAMED = 5;

  /// The share of the heap that a decoder may take; `xz -9` needs 65 MB.
  private static final int HEAP_SHARE = 4;

  private Unpacker() {}

  static InputStream bzip2(InputStream packed) throws IOException {
    return new Checked(() -> new BZip2CompressorInputStream(packed, true));
  }

  static InputStream xz(InputStream packed) throws IOException {
    long kilobytes = (Runtime.getRuntime().maxMemory() / HEAP_SHARE) >> 10;
    int limit = (int) Math.min(kilobytes, Integer.MAX_VALUE);
    return new Checked(() ->
        XZCompressorInputStream.builder()
            .setInputStream(packed)
            .setDecompressConcatenated(true)
            .setMemoryLimitKiB(limit)
            .get());
  }

  /// The one file of a zip file that {@link #onlyFile} has looked at.
  static InputStream zip(InputStream packed) throws IOException {
    return new Checked(() -> {
      ZipArchiveInputStream stream = new ZipArchiveInputStream(packed);
      ZipArchiveEntry entry = stream.getNextEntry();
      while (entry != null && !holdsRows(entry)) {
        entry = stream.getNextEntry();
      }
      if (entry == null) {
        throw new ZipException("its file is gone");
      }
      return new OneFile(stream, entry);
    });
  }

  /// The name of the one file in a zip file.
  ///
  /// @throws Fault.User if there are more, or none that can be read
  public static String onlyFile(Path path) {
    try (ZipFile zip = ZipFile.builder().setPath(path).get()) {
      List<ZipArchiveEntry> files =
          Collections.list(zip.getEntries()).stream().filter(Unpacker::holdsRows).toList();
      if (files.size() != 1) {
        throw new Fault.User(
            path + " holds " + (files.isEmpty() ? "no file." : names(files)),
            files.isEmpty() ? "Name another." : "Unpack it, and name the files or their folder.");
      }
      ZipArchiveEntry file = files.getFirst();
      boolean encrypted = file.getGeneralPurposeBit().usesEncryption();
      // A stream of it has no end of its own.
      boolean endless =
          file.getMethod() == ZipArchiveEntry.STORED
              && file.getGeneralPurposeBit().usesDataDescriptor();
      if (endless || !zip.canReadEntryData(file)) {
        throw new Fault.User(
            path + (encrypted ? " is encrypted." : " is packed in a way that Millrace can't read."),
            "Unpack it, and name what comes out.");
      }
      return file.getName();
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), damage(e));
    }
  }

  /// Not a folder, and as in one, none of the files that systems put beside those of their users.
  private static boolean holdsRows(ZipArchiveEntry entry) {
    String name = entry.getName();
    char first = (name + " ").charAt(name.lastIndexOf('/') + 1);
    return !entry.isDirectory() && first != '.' && first != '_' && !name.startsWith("__MACOSX/");
  }

  private static String names(List<ZipArchiveEntry> files) {
    String first =
        String.join(", ", files.stream().limit(NAMED).map(ZipArchiveEntry::getName).toList());
    return files.size()
        + " files, and only one is read: "
        + first
        + (files.size() > NAMED ? ", …" : ".");
  }

  /// What a decoder throws if it can't decode is damage; the end of the file in the middle is told
  /// as that.
  private static IOException damage(Exception e) {
    if (e instanceof MemoryLimitException) {
      return new IOException(
          "unpacking it takes more memory than there is; MILLRACE_HEAP=1g gives more", e);
    }
    String message = String.valueOf(e.getMessage());
    String lower = message.toLowerCase(Locale.ROOT);
    IOException damage =
        e instanceof EOFException
                || lower.contains("unexpected end of")
                || lower.contains("truncated")
            ? new EOFException(message)
            : new ZipException(message);
    damage.initCause(e);
    return damage;
  }

  /// The library leaves the checksum to its users.
  private static final class OneFile extends CheckedInputStream {

    private final ZipArchiveInputStream zip;
    private final ZipArchiveEntry entry;
    private boolean ended;

    OneFile(ZipArchiveInputStream zip, ZipArchiveEntry entry) {
      super(zip, new CRC32());
      this.zip = zip;
      this.entry = entry;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      int taken = ended ? -1 : super.read(into, at, length);
      if (taken < 0 && !ended) {
        ended = true;
        // The checksum may follow the file: only then does the library know it.
        zip.getNextEntry();
        if (entry.getCrc() != getChecksum().getValue()) {
          throw new ZipException("its checksum is another one");
        }
      }
      return taken;
    }
  }

  private interface Opening {
    InputStream open() throws IOException;
  }

  /// A decoder whose exceptions, of all kinds, mean that what it reads is damaged.
  private static final class Checked extends FilterInputStream {

    Checked(Opening decoder) throws IOException {
      super(open(decoder));
    }

    private static InputStream open(Opening decoder) throws IOException {
      try {
        return decoder.open();
      } catch (IOException | RuntimeException e) {
        throw damage(e);
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      try {
        return in.read(into, at, length);
      } catch (IOException | RuntimeException e) {
        throw damage(e);
      }
    }
  }
}
