package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import millrace.connectors.file.io.Inputs;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import org.jspecify.annotations.Nullable;

/// How files that are complete get their names: written down before it begins, so that it can be
/// brought to its end, or back, by another process.
///
/// @param files in order
/// @param replaces whether files of those names may go
/// @param appendsAt the length of the file that the rows are added to, or -1 if files get names
/// @param removed others that go, since an earlier copy has written more files
public record Publication(
    List<Piece> files, boolean replaces, long appendsAt, List<String> removed) {

  /// A file.
  ///
  /// @param path its name
  /// @param length of what was written
  /// @param content a hash of blocks of that; null in journals of earlier versions
  public record Piece(String path, long length, @Nullable String content) {}

  /// Whether all files are there, at least as long as they were.
  private boolean isThere(Outputs outputs) {
    return files.stream().allMatch(each -> isLong(outputs.named(each.path()), each));
  }

  private boolean isLong(Path file, Piece piece) {
    return Outputs.exists(file) && Inputs.size(file) >= begin() + piece.length();
  }

  private long begin() {
    return Math.max(0, appendsAt);
  }

  /// How what was written has changed since, as a sentence without its end; empty if it has not.
  /// What others have added behind it is no change.
  public String change(Outputs outputs) {
    for (Piece each : files) {
      Path file = outputs.named(each.path());
      if (!Outputs.exists(file)) {
        return each.path() + " is not there any more";
      }
      if (!isLong(file, each) || !hasContent(file, each)) {
        return each.path() + " does not hold any more what it had written";
      }
    }
    return "";
  }

  private boolean hasContent(Path file, Piece piece) {
    try {
      return piece.content() == null
          || piece.content().equals(FileIdentity.content(file, begin(), piece.length()));
    } catch (IOException e) {
      throw Inputs.unreadable(piece.path(), e);
    }
  }

  /// Whether files have got their names already if none was, so that they stay whatever comes.
  public boolean isBegun(Staging staging) {
    return appendsAt < 0
        && !replaces
        && files(staging).anyMatch(file -> Outputs.exists(file) && !staging.holds(file));
  }

  private Stream<Path> files(Staging staging) {
    return files.stream().map(each -> staging.outputs().named(each.path()));
  }

  /// Whether rows, or a part of them, are still to be added to a file that is there.
  public boolean isAdding(Staging staging) {
    return appendsAt >= 0 && !isThere(staging.outputs()) && files(staging).anyMatch(staging::holds);
  }

  /// Does it, or what is left of it.
  ///
  /// @return what could not be kept of the rights of files that were there, one sentence each
  /// @throws Fault.User if somebody else has a file of such a name by now; no file has got its name
  ///   then
  public List<String> carryOut(Staging staging) {
    checkNames(staging);
    List<String> lost = new ArrayList<>();
    Set<Path> folders = new HashSet<>();
    for (Piece piece : files) {
      Path file = staging.outputs().named(piece.path());
      if (appendsAt >= 0) {
        staging.append(file, appendsAt);
      } else if (staging.holds(file)) {
        lost.add(staging.publish(file, piece.length(), replaces));
      } else if (!isLong(file, piece)) {
        throw StagedFile.gone(file);
      }
      folders.add(Outputs.folder(file));
    }
    for (String path : removed) {
      Outputs.delete(staging.outputs().named(path));
    }
    folders.forEach(Outputs::syncFolder);
    lost.removeIf(String::isEmpty);
    return lost;
  }

  private void checkNames(Staging staging) {
    if (appendsAt >= 0 || replaces) {
      return;
    }
    files(staging)
        .forEach(file -> {
          if (Outputs.exists(file) && staging.holds(file)) {
            throw HiddenFiles.appeared(file, new FileAlreadyExistsException(file.toString()));
          }
        });
  }

  /// Takes back what was added to a file that is there; what has its name stays.
  public void takeBack(Staging staging) {
    if (appendsAt >= 0) {
      files(staging).forEach(file -> staging.takeBack(file, appendsAt));
    }
  }
}
