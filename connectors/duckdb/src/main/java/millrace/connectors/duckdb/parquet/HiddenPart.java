package millrace.connectors.duckdb.parquet;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileLookup;
import millrace.io.FileRights;
import org.jspecify.annotations.Nullable;

/// The hidden file beside its place that a file is written to until it is complete:
/// `.NAME.millrace-PROCESS-ID.part`.
///
/// A process that is killed leaves it behind; the name tells the next copy into the same file that
/// nobody writes to it any more.
final class HiddenPart implements PartFile {

  /// Those that this process writes to: a process that is gone may have had the same number.
  private static final Set<String> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

  private final String label;
  private final Path file;
  private final Path path;

  /// @param label how to name the file in errors
  /// @param file the name that it will have
  HiddenPart(String label, Path file) {
    this.label = label;
    this.file = file;
    String mark = ".millrace-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    path = file.resolveSibling("." + file.getFileName() + mark + ".part");
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public void begin() {
    OF_THIS_PROCESS.add(path.getFileName().toString());
    String prefix = "." + file.getFileName() + ".millrace-";
    Pattern others = Pattern.compile(Pattern.quote(prefix) + "(\\d{1,18})-[-0-9a-f]+\\.part");
    try {
      for (Path left : FileLookup.beginningWith(file.resolveSibling(prefix))) {
        if (isLeft(others.matcher(left.getFileName().toString()))) {
          Files.deleteIfExists(left);
        }
      }
    } catch (IOException e) {
      throw new Fault.External(
          "Can't remove what an earlier copy into " + label + " has left: " + e.getMessage(),
          "",
          e);
    }
    try {
      FileRights.create(path, model());
    } catch (IOException e) {
      throw new Fault.External("Can't write " + label + ": " + FileTrouble.reason(e) + ".", "", e);
    }
  }

  private static boolean isLeft(Matcher name) {
    if (!name.matches()) {
      return false;
    }
    long process = Long.parseLong(name.group(1));
    return process == ProcessHandle.current().pid()
        ? !OF_THIS_PROCESS.contains(name.group())
        : ProcessHandle.of(process).isEmpty();
  }

  /// The file whose rights it gets; null if it is new.
  private @Nullable Path model() {
    return Files.exists(file) ? file : null;
  }

  @Override
  public String publish(boolean replaces) {
    try {
      Path model = model();
      String lost = replaces && model != null ? FileRights.give(path, model) : "";
      if (replaces) {
        // All other moves remove the old file first, and it would be lost if we were killed then.
        Files.move(path, file, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.move(path, file);
      }
      OF_THIS_PROCESS.remove(path.getFileName().toString());
      return lost;
    } catch (FileAlreadyExistsException e) {
      throw appeared(label, e);
    } catch (IOException e) {
      throw new Fault.External(label + " can't be put in its place: " + e.getMessage(), "", e);
    }
  }

  /// Somebody else has made a file of that name.
  static Fault.User appeared(String label, FileAlreadyExistsException cause) {
    return new Fault.User(
        label + " has been made by somebody else meanwhile.", "Use --mode replace.", cause);
  }

  @Override
  public void delete() {
    try {
      Files.deleteIfExists(path);
      OF_THIS_PROCESS.remove(path.getFileName().toString());
    } catch (IOException e) {
      throw new Fault.External("Can't remove " + path + ": " + e.getMessage(), "", e);
    }
  }
}
