package millrace.connectors.file.output;

import java.nio.file.Path;
import java.util.Collection;

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

  /// Removes what waits, also of runs before, but those files.
  void remove(Collection<StagedFile> but);
}
