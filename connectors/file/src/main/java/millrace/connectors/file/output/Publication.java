package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
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
  public record Piece(String path, long length, @Nullable String content) {

    Path file() {
      return Path.of(path);
    }
  }

  /// Whether all files are there, at least as long as they were.
  boolean isThere() {
    return files.stream()
        .allMatch(each ->
            Files.exists(each.file()) && Inputs.size(each.file()) >= begin() + each.length());
  }

  private long begin() {
    return Math.max(0, appendsAt);
  }

  /// How what was written has changed since, as a sentence without its end; empty if it has not.
  /// What others have added behind it is no change.
  public String change() {
    for (Piece each : files) {
      if (!Files.exists(each.file())) {
        return each.path() + " is not there any more";
      }
      boolean isLong = Inputs.size(each.file()) >= begin() + each.length();
      if (!isLong || !hasContent(each)) {
        return each.path() + " does not hold any more what it had written";
      }
    }
    return "";
  }

  private boolean hasContent(Piece piece) {
    try {
      return piece.content() == null
          || piece.content().equals(FileIdentity.content(piece.file(), begin(), piece.length()));
    } catch (IOException e) {
      throw Inputs.unreadable(piece.path(), e);
    }
  }

  /// Whether files have got their names already if none was, so that they stay whatever comes.
  ///
  /// @param staging tells the other name of each file
  public boolean isBegun(UnaryOperator<Path> staging) {
    return appendsAt < 0
        && !replaces
        && files.stream()
            .map(Piece::file)
            .anyMatch(file -> Files.exists(file) && !Files.exists(staging.apply(file)));
  }

  /// Whether rows, or a part of them, are still to be added to a file that is there.
  ///
  /// @param staging tells the other name of each file
  public boolean isAdding(UnaryOperator<Path> staging) {
    return appendsAt >= 0
        && !isThere()
        && files.stream().map(Piece::file).map(staging).anyMatch(Files::exists);
  }

  /// Does it, or what is left of it.
  ///
  /// @param staging tells the other name of each file
  /// @param outputs tells whose rights files get
  /// @return what could not be kept of those, one sentence each
  /// @throws Fault.User if somebody else has a file of such a name by now; no file has got its name
  ///   then
  public List<String> carryOut(UnaryOperator<Path> staging, Outputs outputs) {
    checkNames(staging);
    List<String> lost = new ArrayList<>();
    Set<Path> folders = new HashSet<>();
    for (Piece piece : files) {
      Path staged = staging.apply(piece.file());
      if (appendsAt >= 0) {
        new Appending(staged, piece.file(), appendsAt).carryOut();
      } else if (Files.exists(staged)) {
        lost.add(StagedFile.publish(staged, piece.file(), replaces, outputs.model(piece.file())));
      } else if (!Files.exists(piece.file())) {
        throw StagedFile.gone(staged);
      }
      folders.add(Outputs.folder(piece.file()));
    }
    for (String path : removed) {
      Outputs.delete(Path.of(path));
    }
    folders.forEach(Outputs::syncFolder);
    lost.removeIf(String::isEmpty);
    return lost;
  }

  private void checkNames(UnaryOperator<Path> staging) {
    if (appendsAt >= 0 || replaces) {
      return;
    }
    for (Piece piece : files) {
      if (Files.exists(piece.file()) && Files.exists(staging.apply(piece.file()))) {
        throw StagedFile.appeared(piece.file(), new FileAlreadyExistsException(piece.path()));
      }
    }
  }

  /// Takes back what was added to a file that is there; what has its name stays.
  public void takeBack(UnaryOperator<Path> staging) {
    if (appendsAt >= 0) {
      for (Piece piece : files) {
        new Appending(staging.apply(piece.file()), piece.file(), appendsAt).takeBack();
      }
    }
  }
}
