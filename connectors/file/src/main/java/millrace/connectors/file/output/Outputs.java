package millrace.connectors.file.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.connectors.file.io.Inputs;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileLookup;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.spi.store.StoreException;
import org.jspecify.annotations.Nullable;

/// The names of the files that a target writes: its own, or that with numbers in it.
public final class Outputs {

  /// What stands between a file's name and the job in its hidden names.
  public static final String HIDDEN_MARK = ".millrace-";

  /// What the name of a journal ends in.
  public static final String JOURNAL = ".journal";

  private static final Pattern ENDINGS =
      Pattern.compile("(\\.[A-Za-z0-9]{1,8})?(\\.gz|\\.zst)?$", Pattern.CASE_INSENSITIVE);

  private final Path path;
  private final String stem;
  private final String endings;

  /// @throws Fault.User if the location is no place for a file
  public Outputs(FileLocation file) {
    file.checkWritten();
    String location = file.text();
    path = path(file);
    String name = path.getFileName() == null ? "" : String.valueOf(path.getFileName());
    Matcher matcher = ENDINGS.matcher(name);
    int at = matcher.find() ? matcher.start() : name.length();
    stem = name.substring(0, at);
    endings = name.substring(at);
    if (stem.isEmpty() || Files.isDirectory(path) || location.endsWith("/")) {
      throw new Fault.User(
          location + " is a folder.",
          "Name a file in it, such as " + path.resolve("rows.csv") + ".");
    }
    Path folder = folder();
    if (!areStored() && !Files.isDirectory(folder)) {
      throw new Fault.User("There is no folder " + folder + ".", "Make it first.");
    }
  }

  private static Path path(FileLocation file) {
    String location = file.text();
    try {
      Path path = file.path();
      if (path instanceof StorePath) {
        return path;
      }
      FileTrouble.checkTargetLink(path, location);
      // A link stays, and what it leads to is replaced. A pipe that a link of the system leads to
      // (/dev/stdout) is nowhere else.
      return Files.isRegularFile(path) ? path.toRealPath() : path;
    } catch (InvalidPathException e) {
      throw new Fault.User("'" + location + "' is no path.", "", e);
    } catch (IOException e) {
      throw Inputs.unreadable(location, e);
    }
  }

  /// The file itself, of which nothing is known yet.
  public Path path() {
    return path instanceof StorePath stored ? stored.anew() : path;
  }

  /// Whether they are in a store, whose folders are nothing but beginnings of names.
  public boolean areStored() {
    return path instanceof StorePath;
  }

  /// A file beside them, as a journal names it.
  public Path named(String text) {
    return path.getFileSystem().getPath(text);
  }

  /// Whether there is such a file, at this moment.
  public static boolean exists(Path file) {
    try {
      return FileLookup.isThere(file);
    } catch (IOException e) {
      throw Inputs.unreadable(file.toString(), e);
    }
  }

  /// Whether it is a device or pipe, which is written to as it stands.
  public boolean isDevice() {
    return !areStored() && Files.exists(path) && !Files.isRegularFile(path);
  }

  /// One of several files, by its number from 1.
  public Path numbered(long number) {
    return path.resolveSibling(stem + String.format(Locale.ROOT, "-%05d", number) + endings);
  }

  /// The numbers of those that exist, in order.
  public List<Long> numbers() {
    Pattern pattern =
        Pattern.compile(Pattern.quote(stem) + "-([0-9]{5,18})" + Pattern.quote(endings));
    List<Long> numbers = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder())) {
      entries.forEach(entry -> {
        Matcher matcher = pattern.matcher(String.valueOf(entry.getFileName()));
        if (matcher.matches()) {
          numbers.add(Long.parseLong(matcher.group(1)));
        }
      });
    } catch (IOException e) {
      throw Inputs.unreadable(folder().toString(), e);
    }
    numbers.sort(Long::compare);
    return numbers;
  }

  /// The file whose rights one that is written gets: the one whose place it takes, or the first of
  /// several if it has a number; null if it is new.
  @Nullable Path model(Path file) {
    if (Files.exists(file)) {
      return file;
    }
    boolean isNumbered = !file.equals(path) && Files.isDirectory(folder());
    List<Long> numbers = isNumbered ? numbers() : List.of();
    return numbers.isEmpty() ? null : numbered(numbers.getFirst());
  }

  /// The same for what is kept of a copy beside its files.
  public @Nullable Path journalModel() {
    return Files.exists(path) ? path : model(numbered(1));
  }

  /// Removes the file, and those with a number.
  ///
  /// @throws Fault.External if one can't be removed
  public void delete() {
    List<Path> files = new ArrayList<>(List.of(path));
    numbers().forEach(number -> files.add(numbered(number)));
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw unwritable(file, e);
      }
    }
  }

  private Path folder() {
    return folder(path);
  }

  /// The folder of a file.
  static Path folder(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    return folder == null ? Path.of("/") : folder;
  }

  /// What stands under other names that end like that, absolute.
  List<Path> staged(String ending) {
    return hidden("." + stem, ending);
  }

  /// What all of their names begin with.
  Path beginning() {
    return path.resolveSibling(stem);
  }

  /// Journals of copies into the file, absolute.
  public List<Path> journals() {
    return hidden("." + path.getFileName() + HIDDEN_MARK, JOURNAL);
  }

  private List<Path> hidden(String beginning, String ending) {
    try {
      return FileLookup.beginningWith(path.resolveSibling(beginning)).stream()
          .filter(entry -> String.valueOf(entry.getFileName()).endsWith(ending))
          .map(Path::toAbsolutePath)
          .toList();
    } catch (IOException e) {
      throw Inputs.unreadable(folder().toString(), e);
    }
  }

  /// Removes a file, if it is there.
  static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  /// Makes the names in the folder survive a crash, if the system can.
  static void syncFolder(Path folder) {
    if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw unwritable(folder, e);
    }
  }

  /// What it means that a file can't be written.
  public static Fault unwritable(Path path, IOException cause) {
    boolean isFolderGone = cause instanceof NoSuchFileException && !(path instanceof StorePath);
    String reason = isFolderGone ? "the folder is gone" : FileTrouble.reason(cause);
    if (cause instanceof StoreException told) {
      String message = "Can't write " + path + ": " + reason + ".";
      return told.isTransient()
          ? new Fault.Transient(message, told.advice(), 0, cause)
          : new Fault.External(message, told.advice(), cause);
    }
    boolean full = reason.contains("No space left") || reason.contains("quota");
    return new Fault.External(
        "Can't write " + path + ": " + reason + ".",
        full ? "Make room, or name a file on another disk." : "",
        cause);
  }
}
