package millrace.connectors.file.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import millrace.io.DirectFile;
import org.jspecify.annotations.Nullable;

/// Blocks of a file, read past the system's cache: the next one while the last is being used. One
/// thread asks for them.
final class ReadAhead implements AutoCloseable {

  /// A block that is being read.
  private record Coming(long start, CompletableFuture<ByteBuffer> bytes) {}

  private final DirectFile file;
  private final int blockBytes;
  private final Arena memory = Arena.ofShared();
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("read-ahead").factory());

  /// Used in turn.
  private final ByteBuffer[] blocks;

  private int turn;
  private @Nullable Coming coming;

  private ReadAhead(DirectFile file, int blockBytes) {
    this.file = file;
    this.blockBytes = blockBytes;
    blocks = new ByteBuffer[] {allocate(), allocate()};
  }

  private ByteBuffer allocate() {
    return memory.allocate(blockBytes, DirectFile.ALIGNMENT_BYTES).asByteBuffer();
  }

  /// Opens a file, or gives null if its file system has no way past its cache.
  ///
  /// @param blockBytes how much to read at a time
  /// @throws IOException if it can't be opened
  static @Nullable ReadAhead of(Path path, int blockBytes) throws IOException {
    DirectFile file = DirectFile.open(path, StandardOpenOption.READ);
    if (file.direct()) {
      return new ReadAhead(file, blockBytes);
    }
    file.close();
    return null;
  }

  /// Waits for a block.
  ///
  /// @param start where it begins
  /// @param next where the block begins that is read meanwhile, -1 if none is
  /// @return its bytes, fewer if the file ends in it; until the next is asked for
  /// @throws IOException if it can't be read
  ByteBuffer block(long start, long next) throws IOException {
    try {
      Coming now = coming != null && coming.start == start ? coming : begin(start);
      ByteBuffer bytes = now.bytes.join();
      coming = next < 0 ? null : begin(next);
      return bytes;
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException failed) {
        throw failed.getCause();
      }
      throw e;
    }
  }

  private Coming begin(long start) {
    ByteBuffer into = blocks[turn];
    turn = 1 - turn;
    return new Coming(start, CompletableFuture.supplyAsync(() -> read(into, start), reader));
  }

  private ByteBuffer read(ByteBuffer into, long start) {
    try {
      into.clear();
      // A read that stops within a block of the disk's has met the end of the file.
      while (into.hasRemaining() && into.position() % DirectFile.ALIGNMENT_BYTES == 0) {
        if (file.channel().read(into, start + into.position()) < 0) {
          break;
        }
      }
      return into.flip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    // The block that is being read must come before its memory goes.
    reader.close();
    memory.close();
    file.close();
  }
}
