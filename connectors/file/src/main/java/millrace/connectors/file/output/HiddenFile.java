package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import millrace.connectors.file.io.Inputs;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.io.FileRights;
import org.jspecify.annotations.Nullable;

/// A file of this machine that is written under another name beside its own.
final class HiddenFile implements StagedFile {

  private final Path path;
  private final Path staged;

  /// Null while it is closed.
  private volatile @Nullable BlockFile open;

  /// How long it is while it is closed.
  private long length;

  /// Begins to write under that name.
  ///
  /// @param model the file whose rights it gets, so that nobody else may read it before; null if it
  ///   is new
  /// @throws Fault.External if the folder takes no file
  HiddenFile(Path path, Path staged, @Nullable Path model) {
    this.path = path;
    this.staged = staged;
    try {
      FileRights.create(staged, model);
      open = new BlockFile(staged, 0);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private HiddenFile(Path path, Path staged, long length) {
    this.path = path;
    this.staged = staged;
    this.length = length;
  }

  /// One that an earlier run has written, as long as it was then; what is behind that goes. It is
  /// closed until it is cut or written.
  ///
  /// @param length -1 for all of it
  /// @throws Fault.User if it is not there
  static HiddenFile again(Path path, Path staged, long length) {
    try {
      long there = Files.size(staged);
      if (there < length) {
        throw StagedFile.gone(staged);
      }
      return new HiddenFile(path, staged, length < 0 ? there : length);
    } catch (NoSuchFileException _) {
      throw StagedFile.gone(staged);
    } catch (IOException e) {
      throw Outputs.unwritable(staged, e);
    }
  }

  /// One that goes on behind a copy of what an earlier run has written, as above.
  static HiddenFile copy(Path path, Path staged, Path from, long length) {
    try {
      Files.copy(from, staged);
    } catch (NoSuchFileException _) {
      throw StagedFile.gone(from);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
    HiddenFile copied = again(path, staged, length);
    copied.cutTo(length);
    return copied;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void write(byte[] bytes, int length) {
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

  @Override
  public long length() {
    BlockFile file = open;
    return file == null ? length : file.length();
  }

  /// It can be cut anywhere.
  @Override
  public void mark() {
    // See above.
  }

  @Override
  public void forgetMarks() {
    // See above.
  }

  @Override
  public void cutTo(long bytes) {
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

  @Override
  public void finish() {
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

  @Override
  public boolean takesMore() {
    return true;
  }

  @Override
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

  @Override
  public boolean isDurable(long length) {
    return true;
  }

  @Override
  public @Nullable String content() {
    try {
      return FileIdentity.content(staged, 0, length());
    } catch (IOException e) {
      throw Inputs.unreadable(staged.toString(), e);
    }
  }

  @Override
  public Path staged() {
    return staged;
  }

  static void replace(Path staged, Path path) throws IOException {
    try {
      Files.move(staged, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(staged, path, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
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

  @Override
  public void delete() {
    close();
    try {
      Files.deleteIfExists(staged);
    } catch (IOException e) {
      throw Outputs.unwritable(staged, e);
    }
  }
}
