package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.io.FileRights;
import org.jspecify.annotations.Nullable;

/// Files of this machine that are written under hidden names beside their own: `.NAMEMARK.tmp`.
///
/// @param mark tells them from those of other jobs; it begins with {@link Outputs#HIDDEN_MARK}
public record HiddenFiles(Outputs outputs, String mark) implements Staging {

  private static final String ENDING = ".tmp";

  private static final AtomicInteger COUNT = new AtomicInteger();

  /// Those of a run of which no journal is kept: nobody else has their names.
  public static HiddenFiles ofThisProcess(Outputs outputs) {
    long process = ProcessHandle.current().pid();
    return new HiddenFiles(outputs, Outputs.HIDDEN_MARK + process + "-" + COUNT.incrementAndGet());
  }

  /// What all names of files that wait end in.
  String ending() {
    return mark + ENDING;
  }

  /// The other name of a file.
  public Path staged(Path file) {
    return file.resolveSibling("." + file.getFileName() + ending());
  }

  @Override
  public StagedFile begin(Path file) {
    return new HiddenFile(file, staged(file), outputs.model(file));
  }

  @Override
  public StagedFile resume(Path file, long length) {
    return HiddenFile.again(file, staged(file), length);
  }

  @Override
  public boolean holds(Path file) {
    return Files.exists(staged(file));
  }

  /// Before it has its name it gets the rights of the file that has it now, or of others beside.
  @Override
  public String publish(Path file, long length, boolean replaces) {
    Path staged = staged(file);
    @Nullable Path model = outputs.model(file);
    try {
      String lost = model == null ? "" : FileRights.give(staged, model);
      if (replaces) {
        HiddenFile.replace(staged, file);
      } else {
        Files.move(staged, file);
      }
      return lost;
    } catch (FileAlreadyExistsException e) {
      throw appeared(file, e);
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
  }

  /// Somebody else has a file of that name by now.
  static Fault.User appeared(Path path, FileAlreadyExistsException cause) {
    return new Fault.User(
        path + " has appeared since the copy began.",
        "Say --mode replace or --mode append, or name another file.",
        cause);
  }

  @Override
  public void append(Path file, long at) {
    new Appending(staged(file), file, at).carryOut();
  }

  @Override
  public void takeBack(Path file, long at) {
    new Appending(staged(file), file, at).takeBack();
  }

  /// The name by which a file that is handed over is found: it tells the length.
  private Path finished(Path file, long length) {
    return staged(file.resolveSibling(file.getFileName() + ".of-" + length));
  }

  /// Begins with what an earlier run has on the disk of the split, if there is some.
  @Override
  public StagedFile attempt(Path file, long before) {
    Path staged = staged(file.resolveSibling(file.getFileName() + "." + UUID.randomUUID()));
    return before < 0
        ? new HiddenFile(file, staged, outputs.model(file))
        : HiddenFile.copy(file, staged, staged(file), before);
  }

  @Override
  public void handOver(StagedFile attempt, BooleanSupplier hasEnded) {
    attempt.finish();
    Path finished = finished(attempt.path(), attempt.length());
    // If it is gone, the run has ended and removed it: nobody takes what is told of it.
    if (((HiddenFile) attempt).rename(finished) && hasEnded.getAsBoolean()) {
      Outputs.delete(finished);
    }
  }

  @Override
  public boolean take(Path file, long length) {
    Path there = finished(file, length);
    try {
      if (Files.size(there) != length) {
        return false;
      }
      HiddenFile.replace(there, staged(file));
    } catch (NoSuchFileException _) {
      return false;
    } catch (IOException e) {
      throw Outputs.unwritable(file, e);
    }
    Outputs.syncFolder(Outputs.folder(file));
    return true;
  }

  @Override
  public void remove(Collection<StagedFile> but) {
    Set<Path> stay =
        but.stream().map(each -> each.staged().toAbsolutePath()).collect(Collectors.toSet());
    outputs.staged(ending()).stream().filter(each -> !stay.contains(each)).forEach(Outputs::delete);
  }
}
