package millrace.connectors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.fault.Fault;

/// A file that is written under another name beside its own, and gets its own when it is complete.
///
/// Whoever owns it writes, then finishes, then publishes or deletes; one thread at a time.
final class StagedFile {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Path path;
  private final Path staged;
  private FileChannel channel;
  private long length;

  /// Begins to write.
  ///
  /// @throws Fault.External where the folder takes no file
  StagedFile(Path path) {
    this.path = path;
    String name =
        "."
            + path.getFileName()
            + ".millrace-"
            + ProcessHandle.current().pid()
            + "-"
            + COUNT.incrementAndGet()
            + ".tmp";
    staged = path.resolveSibling(name);
    try {
      channel = FileChannel.open(staged, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// The name that it will have.
  Path path() {
    return path;
  }

  void write(byte[] bytes, int length) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    try {
      while (buffer.hasRemaining()) {
        this.length += channel.write(buffer);
      }
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// How many bytes have been written.
  long length() {
    return length;
  }

  /// Takes back what was written behind that length, also where it was finished.
  void cutTo(long bytes) {
    try {
      if (!channel.isOpen()) {
        channel = FileChannel.open(staged, StandardOpenOption.WRITE);
      }
      channel.truncate(bytes);
      channel.position(bytes);
      length = bytes;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Makes what was written survive a crash; it still has its other name.
  void finish() {
    try {
      channel.force(true);
      channel.close();
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Gives it its name.
  ///
  /// @param replaces whether a file of that name may go
  void publish(boolean replaces) {
    try {
      if (replaces) {
        replace();
      } else {
        Files.move(staged, path);
      }
    } catch (FileAlreadyExistsException e) {
      throw new Fault.User(
          path + " has appeared since the copy began.",
          "Say --mode replace or --mode append, or name another file.",
          e);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private void replace() throws IOException {
    try {
      Files.move(staged, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(staged, path, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /// Adds what was written to the file of that name; where that fails it is as long as before.
  void appendTo() {
    try (FileChannel from = FileChannel.open(staged, StandardOpenOption.READ);
        FileChannel to = FileChannel.open(path, StandardOpenOption.WRITE)) {
      long before = to.size();
      try {
        copy(from, to, before);
        to.force(true);
      } catch (IOException e) {
        to.truncate(before);
        throw e;
      }
      Files.delete(staged);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private static void copy(FileChannel from, FileChannel to, long end) throws IOException {
    to.position(end);
    long size = from.size();
    long at = 0;
    while (at < size) {
      at += from.transferTo(at, size - at, to);
    }
  }

  /// Removes what was written, if it has not got its name yet.
  void delete() {
    try {
      channel.close();
      Files.deleteIfExists(staged);
    } catch (IOException e) {
      throw Outputs.unwritable(staged, e);
    }
  }
}
