package millrace.connectors.file.output;

import java.nio.file.Path;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/// Where the files of a job are until they get their names: {@link HiddenFiles} on this machine,
/// {@link Uploads} in a store.
public interface Staging {

  /// The files that are written.
  Outputs outputs();

  /// Begins a file.
  ///
  /// @throws millrace.fault.Fault.External if its folder or its store takes none
  StagedFile begin(Path file);

  /// Goes on with what an earlier run has written of a file. It is closed until it is cut or
  /// written.
  ///
  /// @param length how much of that stays; -1 for all of one that was finished
  /// @throws millrace.fault.Fault.User if it is not there
  StagedFile resume(Path file, long length);

  /// Whether what was written of a file still waits for its name.
  boolean holds(Path file);

  /// Gives a file its name.
  ///
  /// @param length of what was written
  /// @param replaces whether a file of that name may go
  /// @return what could not be kept of that one's rights, as a sentence; or empty
  /// @throws millrace.fault.Fault.User if somebody else has made one by now
  String publish(Path file, long length, boolean replaces);

  /// Adds what was written to the end of a file that is there, or what is left of it.
  ///
  /// @param at how long that was before
  void append(Path file, long at);

  /// Takes back what was added so.
  void takeBack(Path file, long at);

  /// Begins a file with a whole split in it, in a process that has joined the run: another may be
  /// at the same split.
  ///
  /// @param before how long the file is with what earlier runs have of the split; -1 if they have
  ///   nothing of it
  /// @throws millrace.fault.Fault.User if this process can't go on behind that
  StagedFile attempt(Path file, long before);

  /// Such a file is finished, and the process that has begun the run may take it. Of two of one
  /// length either is as good.
  ///
  /// @param hasEnded whether that process takes no more; then it goes
  void handOver(StagedFile attempt, BooleanSupplier hasEnded);

  /// Takes what another process has handed over, to {@link #resume} it.
  ///
  /// @return false if there is no such file
  boolean take(Path file, long length);

  /// Removes what waits, also of runs before, but those files.
  void remove(Collection<StagedFile> but);
}
