package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import millrace.fault.Fault;

/// Adds what was written under another name to the end of a file that is there; it can be done
/// again if it was cut off, and taken back.
///
/// @param staged what is added; it stays until that has been written down
/// @param path the file
/// @param at how long it was before
record Appending(Path staged, Path path, long at) {

  private static final int COMPARED_BYTES = 1 << 18;

  /// Adds what is not there yet; if that fails the file is as long as before.
  ///
  /// @throws Fault.User if somebody else has written to the file meanwhile, or has removed what is
  ///   to be added
  void carryOut() {
    if (!Files.exists(staged)) {
      throw StagedFile.gone(staged);
    }
    try (FileChannel from = FileChannel.open(staged, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      checkEnd(from, to, Long.MAX_VALUE);
      try {
        copy(from, to);
        to.force(true);
      } catch (IOException e) {
        to.truncate(at);
        throw e;
      }
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Makes the file as long as it was.
  ///
  /// @throws Fault.User if somebody else has written to the file meanwhile
  void takeBack() {
    if (!Files.exists(staged) || !Files.exists(path)) {
      return;
    }
    try (FileChannel from = FileChannel.open(staged, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      checkEnd(from, to, from.size());
      to.truncate(at);
      to.force(true);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// What stands behind the old end must be ours: the beginning of what is added, or all of it.
  /// Then others may have added to the file behind it.
  ///
  /// @param most so much may stand there
  private void checkEnd(FileChannel from, FileChannel to, long most) throws IOException {
    long there = to.size() - at;
    long added = Math.min(there, from.size());
    boolean ours = there >= 0 && there <= most;
    ByteBuffer one = ByteBuffer.allocate(COMPARED_BYTES);
    ByteBuffer other = ByteBuffer.allocate(COMPARED_BYTES);
    for (long done = 0; ours && done < added; done += COMPARED_BYTES) {
      int length = (int) Math.min(COMPARED_BYTES, added - done);
      ours =
          fill(from, done, one.clear().limit(length))
              .equals(fill(to, at + done, other.clear().limit(length)));
    }
    if (!ours) {
      throw new Fault.User(
          path + " was written to by somebody else while rows were being added to it.",
          "What was to be added is in " + staged + ": see what of it is there, and remove it.");
    }
  }

  private static ByteBuffer fill(FileChannel from, long at, ByteBuffer into) throws IOException {
    while (into.hasRemaining() && from.read(into, at + into.position()) > 0) {
      // A read may bring less than was asked for.
    }
    return into.flip();
  }

  private void copy(FileChannel from, FileChannel to) throws IOException {
    long size = from.size();
    long done = to.size() - at;
    to.position(at + done);
    while (done < size) {
      done += from.transferTo(done, size - done, to);
    }
  }
}
