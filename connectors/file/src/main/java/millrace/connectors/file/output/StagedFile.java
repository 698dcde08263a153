package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.fault.Fault;
import millrace.io.FileRights;
import org.jspecify.annotations.Nullable;

/// A file that is written under another name beside its own, and gets its own when it is complete.
///
/// Whoever owns it writes, then finishes, then publishes or deletes; one thread at a time.
public final class StagedFile {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Path path;
  private final Path staged;

  /// Null while it is closed.
  private volatile @Nullable BlockFile open;

  /// How long it is while it is closed.
  private long length;

  /// Begins to write under a name that no other has.
  ///
  /// @param model the file whose rights it gets, so that nobody else may read it before; null if it
  ///   is new
  /// @throws Fault.External if the folder takes no file
  StagedFile(Path path, @Nullable Path model) {
    this(path, path.resolveSibling(name(path)), model);
  }

  /// Begins to write under that name.
  ///
  /// @throws Fault.External if the folder takes no file
  StagedFile(Path path, Path staged, @Nullable Path model) {
    this.path = path;
    this.staged = staged;
    try {
      FileRights.create(staged, model);
      open = new BlockFile(staged, 0);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private StagedFile(Path path, Path staged, long length) {
    this.path = path;
    this.staged = staged;
    this.length = length;
  }

  /// One that an earlier run has written, as long as it was then; what is behind that goes. It is
  /// closed until it is cut or written.
  ///
  /// @param length -1 for all of it
  /// @throws Fault.User if it is not there
  static StagedFile again(Path path, Path staged, long length) {
    try {
      long there = Files.size(staged);
      if (there < length) {
        throw gone(staged);
      }
      return new StagedFile(path, staged, length < 0 ? there : length);
    } catch (NoSuchFileException _) {
      throw gone(staged);
    } catch (IOException e) {
      throw Outputs.unwritable(staged, e);
    }
  }

  /// One that goes on behind a copy of what an earlier run has written, as above.
  static StagedFile copy(Path path, Path staged, Path from, long length) {
    try {
      Files.copy(from, staged);
    } catch (NoSuchFileException _) {
      throw gone(from);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
    StagedFile copied = again(path, staged, length);
    copied.cutTo(length);
    return copied;
  }

  /// What had been written is not there any more.
  static Fault.User gone(Path staged) {
    return new Fault.User(
        "The copy can't be resumed: what it had written to " + staged + " is not there any more.",
        "Begin again with --fresh.");
  }

  private static String name(Path path) {
    return "."
        + path.getFileName()
        + ".millrace-"
        + ProcessHandle.current().pid()
        + "-"
        + COUNT.incrementAndGet()
        + ".tmp";
  }

  /// The name that it will have.
  public Path path() {
    return path;
  }

  void write(byte[] bytes, int length) {
    try {
      open().write(bytes, length);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private BlockFile open() {
    BlockFile file = open;
    if (file == null) {
      throw new Fault.Bug("the file is closed", null);
    }
    return file;
  }

  /// How many bytes have been written.
  public long length() {
    BlockFile file = open;
    return file == null ? length : file.length();
  }

  /// Takes back what was written behind that length, also if it was finished.
  void cutTo(long bytes) {
    BlockFile file = open;
    try {
      if (file == null) {
        open = new BlockFile(staged, bytes);
      } else {
        file.cutTo(bytes);
      }
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Makes what was written survive a crash; it still has its other name.
  void finish() {
    BlockFile file = open;
    if (file == null) {
      return;
    }
    length = file.length();
    try {
      file.close();
      open = null;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Makes what has been written so far survive a crash. From any thread.
  public void force() {
    BlockFile file = open;
    try {
      if (file != null) {
        file.force();
      }
    } catch (ClosedChannelException _) {
      // It was finished meanwhile, and forced before that.
      return;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Gives it yet another name, in the place of whatever has that, once it is finished.
  ///
  /// @return false if it is not there any more
  boolean rename(Path other) {
    try {
      replace(staged, other);
      return true;
    } catch (NoSuchFileException _) {
      return false;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// The name that it has until then.
  public Path staged() {
    return staged;
  }

  /// Gives a file its name, and before that its rights.
  ///
  /// @param replaces whether a file of that name may go
  /// @param model the file whose rights it gets; null if it is new
  /// @return what could not be kept of them, as a sentence; or empty
  static String publish(Path staged, Path path, boolean replaces, @Nullable Path model) {
    try {
      String lost = model == null ? "" : FileRights.give(staged, model);
      if (replaces) {
        replace(staged, path);
      } else {
        Files.move(staged, path);
      }
      return lost;
    } catch (FileAlreadyExistsException e) {
      throw appeared(path, e);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Somebody else has a file of that name by now.
  static Fault.User appeared(Path path, FileAlreadyExistsException cause) {
    return new Fault.User(
        path + " has appeared since the copy began.",
        "Say --mode replace or --mode append, or name another file.",
        cause);
  }

  static void replace(Path staged, Path path) throws IOException {
    try {
      Files.move(staged, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(staged, path, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /// Lets go of it as it is on the disk; what was not forced may lack.
  public void close() {
    BlockFile file = open;
    try {
      if (file != null) {
        file.discard();
        open = null;
      }
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  /// Removes what was written, if it has not got its name yet.
  public void delete() {
    close();
    try {
      Files.deleteIfExists(staged);
    } catch (IOException e) {
      throw Outputs.unwritable(staged, e);
    }
  }
}
