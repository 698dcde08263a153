package millrace.connectors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Arrays;
import java.util.Set;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.UploadRecord;
import millrace.fault.Fault;
import millrace.io.FileRights;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A journal on this machine. While it is open it is locked: a process that is killed lets go of
/// it. Who closes any other channel to the same file would let go of it as well.
///
/// One thread at a time.
final class LockedJournal implements JournalFile {

  private static final Logger LOG = LoggerFactory.getLogger(LockedJournal.class);

  private final Path path;
  private @Nullable FileChannel channel;

  LockedJournal(Path path) {
    this.path = path;
  }

  @Override
  public boolean open() {
    return open(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public void create(@Nullable Path model) {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (!open(options, FileRights.of(path, model))) {
      throw Outputs.unwritable(path, new NoSuchFileException(path.toString()));
    }
    if (model != null) {
      try {
        String lost = FileRights.give(path, model);
        LOG.debug("{}", lost);
      } catch (IOException e) {
        // Somebody else made it, for an earlier copy.
        LOG.debug("{} keeps its rights", path, e);
      }
    }
  }

  private boolean open(Set<StandardOpenOption> options, FileAttribute<?>... attributes) {
    try {
      FileChannel opened = FileChannel.open(path, options, attributes);
      channel = opened;
      FileLock lock = opened.tryLock();
      if (lock == null) {
        throw JournalFile.underWay();
      }
      return true;
    } catch (OverlappingFileLockException _) {
      throw JournalFile.underWay();
    } catch (NoSuchFileException _) {
      return false;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public boolean isOpen() {
    return channel != null;
  }

  @Override
  public JournalContent read() {
    try {
      ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(channel().size()));
      while (all.hasRemaining() && channel().read(all, all.position()) > 0) {
        // Read by the channel that holds the lock.
      }
      return JournalContent.parse(path, Arrays.copyOf(all.array(), all.position()));
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }

  @Override
  public void cut(long length) {
    try {
      channel().truncate(length);
      channel().position(length);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public void append(Entry entry) {
    try {
      ByteBuffer bytes =
          ByteBuffer.wrap((JournalText.spell(entry) + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel().write(bytes);
      }
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public void append(UploadRecord upload) {
    throw new Fault.Bug("nothing is uploaded to this machine", null);
  }

  @Override
  public long bytesBetween() {
    return 0;
  }

  @Override
  public void force() {
    try {
      channel().force(true);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private FileChannel channel() {
    if (channel == null) {
      throw new Fault.Bug("the journal is not open", null);
    }
    return channel;
  }

  @Override
  public void delete() {
    if (isOpen()) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        throw Outputs.unwritable(path, e);
      }
    }
    close();
  }

  @Override
  public void deleteIfFree() {
    try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE);
        FileLock lock = other.tryLock()) {
      if (lock != null) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException | OverlappingFileLockException e) {
      LOG.debug("{} is gone, or in use", path, e);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public void close() {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw Outputs.unwritable(path, e);
      }
    }
  }
}
