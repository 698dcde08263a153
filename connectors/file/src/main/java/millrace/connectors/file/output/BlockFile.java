package millrace.connectors.file.output;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import millrace.io.DirectFile;

/// A file that is written to its end in blocks, past the system's cache if that can be: through it,
/// the processor spends longer on copying and clearing pages than a database does on spelling half
/// the rows.
///
/// What does not fill a block yet is held here until it does, or until it is forced; the file may
/// then end in zeros up to the end of a disk's block, until it is closed. One thread writes, any
/// may force.
public final class BlockFile {

  private static final int BLOCK_BYTES = 1 << 20;

  private final FileChannel channel;
  private final boolean direct;
  private final Arena memory = Arena.ofShared();
  private final ByteBuffer block =
      memory.allocate(BLOCK_BYTES, DirectFile.ALIGNMENT_BYTES).asByteBuffer();

  /// Where in the file the block begins.
  private long start;

  /// How many bytes of the block are in the file already.
  private int written;

  /// Opens a file that is there, to go on behind so many bytes of it; what follows them goes.
  ///
  /// @throws IOException if it can't be opened, or has fewer
  public BlockFile(Path path, long length) throws IOException {
    DirectFile file = DirectFile.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    channel = file.channel();
    direct = file.direct();
    try {
      cutTo(length);
    } catch (IOException e) {
      discard();
      throw e;
    }
  }

  /// How many bytes it has, those included that are held here.
  synchronized long length() {
    return start + block.position();
  }

  /// Adds bytes to the end.
  public synchronized void write(byte[] bytes, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int more = Math.min(length - done, block.remaining());
      block.put(bytes, done, more);
      done += more;
      if (!block.hasRemaining()) {
        writeOut();
        start += BLOCK_BYTES;
        block.clear();
        written = 0;
      }
    }
  }

  /// Brings what is held into the file, along with zeros if the disk takes whole blocks only.
  private void writeOut() throws IOException {
    int filled = block.position();
    if (filled > written) {
      int from = direct ? (int) DirectFile.alignedDown(written) : written;
      int to = direct ? (int) DirectFile.alignedUp(filled) : filled;
      for (int i = filled; i < to; i++) {
        block.put(i, (byte) 0);
      }
      ByteBuffer bytes = block.duplicate().limit(to).position(from);
      while (bytes.hasRemaining()) {
        channel.write(bytes, start + bytes.position());
      }
      written = filled;
    }
  }

  /// Takes back what was written behind that length.
  synchronized void cutTo(long length) throws IOException {
    if (channel.size() > length) {
      channel.truncate(length);
    }
    if (length < start || length > start + block.position()) {
      start = DirectFile.alignedDown(length);
      block.clear();
      read((int) (length - start));
    }
    block.position((int) (length - start));
    written = (int) Math.min(written, length - start);
  }

  /// Fills the block with what is in the file there: its last bytes, which one read brings.
  private void read(int length) throws IOException {
    ByteBuffer bytes = block.duplicate().limit((int) DirectFile.alignedUp(length));
    if (length > 0 && channel.read(bytes, start) < length) {
      throw new EOFException("it is shorter than it was");
    }
    written = length;
  }

  /// Makes what has been written so far survive a crash.
  ///
  /// @throws ClosedChannelException if it is closed, or is being closed
  void force() throws IOException {
    synchronized (this) {
      if (!channel.isOpen()) {
        throw new ClosedChannelException();
      }
      writeOut();
    }
    channel.force(true);
  }

  /// Makes the file as long as it is to be, so that it survives a crash, and lets go of it. If that
  /// fails it stays open: it may be cut, and nobody takes what is in it for forced.
  public synchronized void close() throws IOException {
    if (!channel.isOpen()) {
      return;
    }
    writeOut();
    channel.truncate(length());
    channel.force(true);
    discard();
  }

  /// Lets go of it, and of what is held.
  synchronized void discard() throws IOException {
    if (channel.isOpen()) {
      memory.close();
      channel.close();
    }
  }
}
