package millrace.connectors.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.UploadRecord;
import millrace.fault.Fault;
import millrace.io.FileLookup;
import millrace.io.store.StorePath;
import millrace.spi.journal.Entry;
import org.jspecify.annotations.Nullable;

/// The journal of one job, a hidden file beside the one that is written.
///
/// @see FileRunJournal
interface JournalFile {

  /// The one at a path, be it there or not.
  static JournalFile at(Path path) {
    return path instanceof StorePath stored ? new StoredJournal(stored) : new LockedJournal(path);
  }

  /// What a journal says that is not open here; null if it is not there.
  static @Nullable JournalContent readOther(Path journal) {
    try {
      return JournalContent.parse(journal, FileLookup.content(journal));
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException e) {
      throw Inputs.unreadable(journal.toString(), e);
    }
  }

  static Fault.User underWay() {
    return new Fault.User(
        "The same copy is under way already, in another process.",
        "Wait for it, or stop it and say --resume.");
  }

  /// Opens it, so that no other process writes to it; false if it is not there.
  ///
  /// @throws Fault.User if another copy has it open, as far as can be known
  boolean open();

  /// Opens it, and makes it if it is not there.
  ///
  /// @param model the file whose rights it gets, so that who may write to that may read it; or null
  /// @throws Fault.User if another copy has it open, as far as can be known
  void create(@Nullable Path model);

  /// Where it is.
  Path path();

  /// Whether it is open.
  boolean isOpen();

  /// Whether it is open, and that is its path.
  default boolean isOpenAt(Path other) {
    return isOpen() && other.toAbsolutePath().equals(path().toAbsolutePath());
  }

  /// What it says.
  JournalContent read();

  /// What is written from now on comes behind that much of the entries.
  void cut(long length);

  /// From now on another process that has it open is told so before it writes, and before this one
  /// removes anything of it.
  default void claim() {}

  /// There are no uploads any more of which it tells.
  default void forgetUploads() {}

  /// Writes an entry, which need not survive a crash then.
  void append(Entry entry);

  /// The same of an upload to a store.
  void append(UploadRecord upload);

  /// All that was written survives a crash.
  ///
  /// @throws Fault.External if it can't, or another process has the journal by now
  void force();

  /// Whether another process has it by now: what this one has written is that one's.
  default boolean isTaken() {
    return false;
  }

  /// How many bytes of rows are worth the writing of it.
  long bytesBetween();

  /// Removes it, if it is open.
  void delete();

  /// Removes it unless it is there no more, or another process has it open.
  void deleteIfFree();

  /// Lets go of it.
  void close();
}
