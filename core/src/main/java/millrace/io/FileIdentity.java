package millrace.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import millrace.io.store.StorePath;

/// What tells whether files are still the same, a line for each: real path, length, time of the
/// last change, and a hash of blocks of it: the first, the last, and some spread between. Line
/// ends, tabs and backslashes of a name are escaped by a backslash.
public final class FileIdentity {

  private static final int BLOCK_BYTES = 1 << 16;
  private static final int BLOCKS_BETWEEN = 16;
  private static final String SEPARATOR = "\t";
  private static final Pattern LINE = Pattern.compile("[^\t]+\t\\d+\t[^\t]+\t\\p{XDigit}+");

  private FileIdentity() {}

  /// The identity of files in that order, from those of each.
  public static String ofAll(List<String> each) {
    return String.join("\n", each);
  }

  /// Of standard input only its beginning can be known before it is read; the rest is checked when
  /// it is stepped over.
  ///
  /// @param first what it begins with
  public static String ofStream(String name, byte[] first) {
    return String.join(SEPARATOR, escaped(name), "", "", new Digest().add(first).hex());
  }

  /// The identity of one file.
  ///
  /// @throws IOException if it can't be read
  public static String of(Path path) throws IOException {
    if (path instanceof StorePath stored) {
      // A store knows what a file holds; its blocks need not be read for it.
      return line(path, Files.size(path), new Digest().add(utf8(stored.identity())).hex());
    }
    try (SeekableByteChannel channel = Files.newByteChannel(path)) {
      long size = channel.size();
      return line(path, size, content(channel, 0, size));
    }
  }

  private static String line(Path path, long size, String content) throws IOException {
    return String.join(
        SEPARATOR,
        escaped(realPath(path)),
        Long.toString(size),
        Files.getLastModifiedTime(path).toInstant().toString(),
        content);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// A hash of blocks of a part of a file.
  ///
  /// @param from where the part begins
  /// @param length how long it is
  /// @throws IOException if it can't be read
  public static String content(Path path, long from, long length) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(path)) {
      return content(channel, from, length);
    }
  }

  private static String content(SeekableByteChannel channel, long from, long length)
      throws IOException {
    Digest digest = new Digest();
    int blockBytes = (int) Math.min(BLOCK_BYTES, length);
    long last = length - blockBytes;
    for (int i = 0; i <= BLOCKS_BETWEEN; i++) {
      add(channel, from + last / BLOCKS_BETWEEN * i, blockBytes, digest);
    }
    add(channel, from + last, blockBytes, digest);
    return digest.hex();
  }

  private static void add(SeekableByteChannel channel, long at, int bytes, Digest digest)
      throws IOException {
    ByteBuffer block = ByteBuffer.allocate(bytes);
    channel.position(at);
    while (block.hasRemaining() && channel.read(block) > 0) {
      // The file may end before the block is full.
    }
    digest.add(block.flip());
  }

  /// How files differ from what they were, as a sentence without its end; empty if they do not.
  public static String change(String before, String now) {
    String[] old = before.split("\n", -1);
    String[] current = now.split("\n", -1);
    if (old.length != current.length) {
      return "there were " + old.length + " files, and are " + current.length + " now";
    }
    for (int i = 0; i < old.length; i++) {
      String change = changeOf(old[i].split(SEPARATOR, -1), current[i].split(SEPARATOR, -1));
      if (!change.isEmpty()) {
        return change;
      }
    }
    return "";
  }

  /// Of how many files this is the identity; 0 if of something else.
  public static int count(String identity) {
    String[] lines = identity.split("\n", -1);
    return Arrays.stream(lines).allMatch(line -> LINE.matcher(line).matches()) ? lines.length : 0;
  }

  /// How files differ from those that another machine calls the same, as a sentence without its
  /// end; empty if they hold the same, wherever they lie and whenever they came there.
  ///
  /// @param label names all of them
  /// @param there what they are on the other machine
  public static String otherOn(String label, String here, String there) {
    String[] ours = here.split("\n", -1);
    String[] theirs = there.split("\n", -1);
    if (ours.length != theirs.length) {
      return label + " is " + theirs.length + " files there, and " + ours.length + " here";
    }
    for (int i = 0; i < ours.length; i++) {
      String[] our = ours[i].split(SEPARATOR, -1);
      String[] their = theirs[i].split(SEPARATOR, -1);
      if (!our[1].equals(their[1])) {
        return our[0] + " has " + their[1] + " bytes there, and " + our[1] + " here";
      }
      if (!our[3].equals(their[3])) {
        return our[0] + " has another content there";
      }
    }
    return "";
  }

  /// What those files are known by, whatever has become of the others: each one's true path, and
  /// its content, be it under another name by now.
  public static List<String> origins(String identity) {
    List<String> origins = new ArrayList<>();
    for (String line : identity.split("\n", -1)) {
      String[] file = line.split(SEPARATOR, -1);
      origins.add(truePath(unescaped(file[0])));
      if (!file[1].isEmpty() && !file[1].equals("0")) {
        origins.add(file[1] + " bytes " + file[3]);
      }
    }
    return origins;
  }

  private static String escaped(String name) {
    return name.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
  }

  private static String unescaped(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      if (each == '\\' && i + 1 < name.length()) {
        i++;
        each =
            switch (name.charAt(i)) {
              case 'n' -> '\n';
              case 't' -> '\t';
              default -> name.charAt(i);
            };
      }
      text.append(each);
    }
    return text.toString();
  }

  /// Where a file is, by whatever links it was reached; as it is named from anywhere if it is not
  /// there.
  public static String realPath(Path path) {
    try {
      return path.toRealPath().toString();
    } catch (IOException _) {
      return path.toAbsolutePath().normalize().toString();
    }
  }

  private static String truePath(String name) {
    try {
      return Path.of(name).toRealPath().toString();
    } catch (IOException | InvalidPathException _) {
      return name;
    }
  }

  private static String changeOf(String[] old, String[] now) {
    if (!old[0].equals(now[0])) {
      return old[0] + " was read, and is " + now[0] + " now";
    }
    if (!old[1].equals(now[1])) {
      return old[0] + " had " + old[1] + " bytes, and has " + now[1] + " now";
    }
    if (!old[3].equals(now[3])) {
      return old[0] + " has another content now";
    }
    return Objects.equals(old[2], now[2])
        ? ""
        : old[0] + " has been written to since: it was changed at " + now[2] + ", not " + old[2];
  }
}
