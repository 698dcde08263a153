package millrace.engine.reject;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import millrace.io.store.StorePath;
import millrace.spi.store.StoreException;

/// A file that bad records, or the reasons for them, are added to. One thread at a time.
sealed interface RejectFile extends AutoCloseable {

  /// Makes one.
  ///
  /// @throws FileAlreadyExistsException if there is one of that name
  static RejectFile create(Path file) throws IOException {
    if (file instanceof StorePath stored) {
      return new Stored(stored, "");
    }
    return new Local(
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /// Opens one to add to it behind so many bytes.
  static RejectFile open(Path file, long bytes) throws IOException {
    RejectFile opened;
    if (file instanceof StorePath stored) {
      StorePath.Content found = stored.content();
      opened = new Stored(stored, found.identity());
      opened.write(found.bytes());
    } else {
      opened = new Local(FileChannel.open(file, StandardOpenOption.WRITE));
    }
    opened.cut(bytes);
    return opened;
  }

  /// How many bytes it has.
  long length() throws IOException;

  /// Adds bytes to its end.
  void write(byte[] bytes) throws IOException;

  /// Takes away what is behind so many bytes.
  void cut(long bytes) throws IOException;

  /// What was written is there if this process is killed.
  void flush() throws IOException;

  @Override
  void close() throws IOException;

  /// On this machine, where each record is there at once.
  record Local(FileChannel channel) implements RejectFile {

    @Override
    public long length() throws IOException {
      return channel.position();
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left);
      }
    }

    @Override
    public void cut(long bytes) throws IOException {
      channel.truncate(bytes);
      channel.position(channel.size());
    }

    @Override
    public void flush() {
      // The system has it.
    }

    @Override
    public void close() throws IOException {
      try (channel) {
        channel.force(true);
      }
    }
  }

  /// In a store, where all of it is written each time.
  final class Stored implements RejectFile {

    /// More would cost more than they tell.
    private static final int BYTES_MAX = 64 << 20;

    private final StorePath file;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private String identity;
    private boolean isWritten;

    private Stored(StorePath file, String identity) {
      this.file = file;
      this.identity = identity;
    }

    @Override
    public long length() {
      return content.size();
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      if (content.size() + bytes.length > BYTES_MAX) {
        throw new StoreException(
            file.toString(),
            "so many bad records are written to a file of this machine only",
            false);
      }
      content.writeBytes(bytes);
      isWritten = false;
    }

    @Override
    public void cut(long bytes) {
      byte[] all = content.toByteArray();
      content.reset();
      content.write(all, 0, (int) bytes);
      isWritten = false;
    }

    @Override
    public void flush() throws IOException {
      if (!isWritten) {
        identity = file.put(content.toByteArray(), identity);
        isWritten = true;
      }
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
