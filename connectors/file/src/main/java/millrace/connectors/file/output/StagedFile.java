package millrace.connectors.file.output;

import java.nio.file.Path;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// A file that is written so that nobody sees it under its name, and gets that when it is complete.
///
/// Whoever owns it writes, then finishes, then publishes or deletes; one thread at a time.
///
/// @see Staging
public interface StagedFile {

  /// What had been written is not there any more.
  static Fault.User gone(Path staged) {
    return new Fault.User(
        "The copy can't be resumed: what it had written to " + staged + " is not there any more.",
        "Begin again with --fresh.");
  }

  /// The name that it will have.
  Path path();

  /// The name that it has until then; its own if it is in a store, which shows no file before it is
  /// complete.
  Path staged();

  /// Adds bytes to the end.
  void write(byte[] bytes, int length);

  /// How many bytes have been written.
  long length();

  /// What has been written so far stays if what comes behind it is taken back.
  void mark();

  /// No mark so far is gone back to any more.
  void forgetMarks();

  /// Takes back what was written behind that length, which is that of the last mark, also if it was
  /// finished.
  void cutTo(long bytes);

  /// Makes what was written survive a crash; it still has its other name.
  void finish();

  /// Whether more can be written to it, also if it was finished.
  boolean takesMore();

  /// Makes what has been written so far survive a crash, as far as it can. From any thread.
  void force();

  /// Whether what has been written up to a mark survives a crash, now that it was forced, so that
  /// another process could go on behind it. From any thread.
  boolean isDurable(long length);

  /// A hash of blocks of what was written, see {@link millrace.io.FileIdentity#content}; null if
  /// nobody can read it before it is complete.
  @Nullable String content();

  /// Lets go of it as it is; what was not forced may lack.
  void close();

  /// Removes what was written, if it has not got its name yet.
  void delete();
}
