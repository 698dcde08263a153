package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
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

  /// The other name of a file.
  public Path staged(Path file) {
    return file.resolveSibling("." + file.getFileName() + mark + ENDING);
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

  @Override
  public void remove(Collection<StagedFile> but) {
    outputs.removeStaged(
        mark + ENDING, but.stream().map(StagedFile::staged).collect(Collectors.toSet()));
  }
}
