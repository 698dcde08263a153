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
import millrace.fault.Fault;
import millrace.io.FileRights;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The journal of one job, a hidden file. While it is open it is locked: a process that is killed
/// lets go of it. Who closes any other channel to the same file would let go of it as well.
///
/// One thread at a time.
final class JournalFile {

  private static final Logger LOG = LoggerFactory.getLogger(JournalFile.class);

  private final Path path;
  private @Nullable FileChannel channel;

  JournalFile(Path path) {
    this.path = path;
  }

  /// Opens and locks it; false if it is not there.
  ///
  /// @throws Fault.User if another copy has it open
  boolean open() {
    return open(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /// Opens and locks it, which makes it if it is not there.
  ///
  /// @param model the file whose rights it gets, so that who may write to that may read it; or null
  /// @throws Fault.User if another copy has it open
  void create(@Nullable Path model) {
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
        throw underWay();
      }
      return true;
    } catch (OverlappingFileLockException _) {
      throw underWay();
    } catch (NoSuchFileException _) {
      return false;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private static Fault.User underWay() {
    return new Fault.User(
        "The same copy is under way already, in another process.",
        "Wait for it, or stop it and say --resume.");
  }

  /// Where it is.
  Path path() {
    return path;
  }

  /// Whether it is open.
  boolean isOpen() {
    return channel != null;
  }

  /// Whether it is open, and that is its path.
  boolean isOpenAt(Path other) {
    return isOpen() && other.toAbsolutePath().equals(path.toAbsolutePath());
  }

  /// What it says.
  JournalContent read() {
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

  /// What a journal says that is not open here; null if it is not there.
  static @Nullable JournalContent readOther(Path journal) {
    try {
      return JournalContent.parse(journal, Files.readAllBytes(journal));
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException e) {
      throw Inputs.unreadable(journal.toString(), e);
    }
  }

  /// What is written from now on comes behind that much.
  void cut(long length) {
    try {
      channel().truncate(length);
      channel().position(length);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Writes an entry, which need not be on the disk then.
  void append(Entry entry) {
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

  /// All lines are on the disk.
  void force() {
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

  /// Removes it, if it is open.
  void delete() {
    if (isOpen()) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        throw Outputs.unwritable(path, e);
      }
    }
    close();
  }

  /// Lets go of the lock.
  void close() {
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
