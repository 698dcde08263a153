package millrace.connectors.file.io;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import millrace.fault.Fault;
import millrace.io.FileFormat;
import millrace.io.FileIdentity;
import millrace.io.store.StorePath;
import millrace.spi.StageClock;
import org.jspecify.annotations.Nullable;

/// One file to read, or standard input, whose first bytes have been looked at.
///
/// @param name as the user would name it
/// @param path null for standard input
/// @param compression how it is compressed
/// @param size its length as it is stored; -1 for standard input
/// @param written when it was last written to, by the file system; null for standard input
/// @param first its first bytes, decompressed: a sample
/// @param sampleIsAll whether the sample is all there is
/// @param rest standard input, from where the sample ends
public record InputFile(
    String name,
    @Nullable Path path,
    Compression compression,
    long size,
    @Nullable FileTime written,
    byte[] first,
    boolean sampleIsAll,
    @Nullable ByteFeed rest) {

  private static final int FIRST_BYTES = 16 << 10;
  private static final byte[] NOTHING = {};
  private static final String STANDARD_INPUT = "standard input";

  /// Looks at a file.
  ///
  /// @param sampleBytes how much of it
  public static InputFile look(Path path, int sampleBytes) {
    String name = path.toString();
    FileTime written = Inputs.written(path);
    long size = Inputs.size(path);
    Compression compression = packing(path, name, size);
    try (ByteFeed byteFeed = new StreamFeed(name, Inputs.open(path), compression)) {
      byte[] sample = sample(NOTHING, byteFeed, sampleBytes);
      if (compression != Compression.NONE) {
        checkText(name, name, compression, sample);
      }
      return new InputFile(
          name, path, compression, size, written, sample, sample.length < sampleBytes, null);
    }
  }

  /// Looks at standard input.
  public static InputFile look(InputStream standardInput, int sampleBytes) {
    BufferedInputStream stream = new BufferedInputStream(standardInput, 1 << 16);
    Compression compression;
    try {
      stream.mark(FileFormat.FIRST_BYTES);
      byte[] first = stream.readNBytes(FileFormat.FIRST_BYTES);
      stream.reset();
      compression = Compression.ofBytes(first, first.length);
    } catch (IOException e) {
      throw Inputs.unreadable(STANDARD_INPUT, e);
    }
    if (compression == Compression.ZIP) {
      throw new Fault.User(
          "Standard input is a zip file, which has the list of its files at its end.",
          "Name the file, or unpack it on the way:\n    unzip -p FILE | millrace copy - TO");
    }
    ByteFeed byteFeed = new StreamFeed(STANDARD_INPUT, stream, compression);
    InputFile looked =
        new InputFile(STANDARD_INPUT, null, compression, -1, null, NOTHING, false, byteFeed)
            .further(sampleBytes);
    checkText(STANDARD_INPUT, "FILE", compression, looked.first);
    return looked;
  }

  /// Refuses what is no text: it would be cut into fields of nonsense.
  ///
  /// @param location how the user would name it as what it is
  /// @param compression how it is compressed, which is no fault
  private static void checkText(
      String name, String location, Compression compression, byte[] sample) {
    FileFormat found = FileFormat.of(sample, sample.length);
    if (found != null) {
      boolean packed = compression != Compression.NONE;
      throw new Fault.User(
          name + (packed ? ", unpacked, is " : " is ") + found.what() + ", not text.",
          packed ? "Unpack it first, and name what comes out." : found.advice(location));
    }
  }

  /// The same file, of which more has been looked at.
  ///
  /// @param sampleBytes how much of it, from its beginning; more than so far
  public InputFile further(int sampleBytes) {
    if (path != null) {
      return look(path, sampleBytes);
    }
    byte[] sample = rest == null ? first : sample(first, rest, sampleBytes);
    return new InputFile(
        name, null, compression, size, null, sample, sample.length < sampleBytes, rest);
  }

  /// So many bytes, or all there are: a short file takes no more memory than it needs.
  ///
  /// @param first those that have been read already
  private static byte[] sample(byte[] first, ByteFeed byteFeed, int bytes) {
    long wanted = Math.max(FIRST_BYTES, 4L * first.length);
    byte[] sample = Arrays.copyOf(first, (int) Math.min(bytes, wanted));
    int length = byteFeed.fill(sample, first.length, sample.length);
    while (length == sample.length && length < bytes) {
      sample = Arrays.copyOf(sample, (int) Math.min(bytes, 4L * length));
      length = byteFeed.fill(sample, length, sample.length);
    }
    return Arrays.copyOf(sample, length);
  }

  private static Compression packing(Path path, String name, long size) {
    Compression promised = Compression.ofName(name);
    try (ByteFeed byteFeed = new StreamFeed(name, Inputs.open(path), Compression.NONE)) {
      byte[] first = sample(NOTHING, byteFeed, FileFormat.FIRST_BYTES);
      Compression found = Compression.ofBytes(first, first.length);
      if (found == Compression.NONE) {
        checkText(name, name, found, first);
      }
      if (found != promised && promised != Compression.NONE && size > 0) {
        throw new Fault.User(
            name + " is not compressed as its name says.",
            "Take the " + promised.ending() + " off its name, or get it again.");
      }
      if (found == Compression.ZIP) {
        Unpacker.onlyFile(path);
      }
      return found;
    }
  }

  /// What its splits are known by, whatever name it was reached by.
  public String resource() {
    return path == null ? name : FileIdentity.realPath(path);
  }

  /// Whether it can be read from anywhere.
  public boolean seeks() {
    return path != null && compression == Compression.NONE && Inputs.hasRanges(path);
  }

  /// Its bytes, decompressed; a file from its beginning, standard input once.
  ///
  /// @param clock is told when it is decompressed
  public ByteFeed open(StageClock clock) {
    if (path == null) {
      return new ReplayFeed(first, rest);
    }
    return seeks()
        ? open(0, size)
        : new StreamFeed(name, Inputs.open(path), compression).timed(clock);
  }

  /// A range of a file that {@link #seeks}.
  public ByteFeed open(long from, long to) {
    if (path == null) {
      throw new Fault.Bug("standard input has no ranges", null);
    }
    long end = Math.min(to, size);
    return path instanceof StorePath stored
        ? new StreamFeed(name, Inputs.open(stored, from, end), Compression.NONE)
        : new RangeFeed(path, from, end);
  }

  /// Says if it has been written to since it was looked at, so that what was read of it may be of
  /// two minds. What is only added to it is not read, and no harm; one that is gone is read on.
  ///
  /// @throws Fault.External if it has been
  public void checkUnchanged() {
    if (path != null
        && Files.exists(path)
        && Inputs.size(path) <= size
        && !Inputs.written(path).equals(written)) {
      throw new Fault.External(
          name + " was written to while it was read.",
          "Start again when nothing writes to it.",
          null);
    }
  }

  /// The sample alone.
  public ByteFeed sample() {
    return new ReplayFeed(first, null);
  }

  /// The same file without its sample, for those that are looked at no more.
  public InputFile withoutSample() {
    return path == null
        ? this
        : new InputFile(name, path, compression, size, written, NOTHING, sampleIsAll, null);
  }
}
