package millrace.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.spi.store.StoreException;

/// Finds the files that a pattern means, for every system that reads files. {@link GlobPattern}
/// says how a pattern is written.
///
/// The longest beginning of a pattern that exists as a folder is that folder, whatever characters
/// its name has. Links to folders are followed, and a folder is read once, whatever further names
/// links give it: so a link can neither make a loop nor double the rows.
final class Glob {

  private final String glob;

  /// By the real path of the folder and the name in it.
  private final Map<Path, Path> found = new HashMap<>();

  private final Map<Path, Path> realFolders = new HashMap<>();

  private Glob(String glob) {
    this.glob = glob;
  }

  /// The files that match, in the order of their paths; one at least.
  ///
  /// @throws Fault.User if there is none, or the pattern makes no sense
  /// @throws Fault.External if a folder can't be listed
  static List<Path> find(FileLocation location) {
    String glob = location.text();
    Path folder = folder(location);
    boolean isHere = !(folder instanceof StorePath);
    if (isHere && !Files.isDirectory(folder)) {
      throw new Fault.User("There is no folder " + folder + " (" + glob + ").", "");
    }
    Glob search = new Glob(glob);
    for (List<GlobPattern> names : GlobPattern.alternatives(glob, start(location))) {
      search.walk(folder, names);
    }
    if (search.found.isEmpty()) {
      throw new Fault.User(
          "No file matches " + glob + ".", "Quote the glob, so that the shell leaves it alone.");
    }
    return List.copyOf(new TreeSet<>(search.found.values()));
  }

  /// The folder in which a glob begins.
  static Path folder(FileLocation glob) {
    int start = start(glob);
    int end = start == glob.namesStart() || start == 1 ? start : start - 1;
    return glob.at(glob.text().substring(0, end)).path();
  }

  /// Where the names begin that are patterns.
  static int start(FileLocation location) {
    String glob = location.text();
    int start = location.namesStart();
    for (int slash = glob.indexOf('/', start); slash >= 0; slash = glob.indexOf('/', start)) {
      String name = glob.substring(start, slash);
      boolean exists =
          GlobPattern.isGlob(name)
              && GlobPattern.mayBeLiteral(name)
              && Files.isDirectory(location.at(glob.substring(0, slash)).path());
      if (GlobPattern.isGlob(name) && !exists) {
        break;
      }
      start = slash + 1;
    }
    return start;
  }

  private void walk(Path folder, List<GlobPattern> names) {
    GlobPattern first = names.getFirst();
    List<GlobPattern> others = names.subList(1, names.size());
    if (first.isDeep()) {
      for (Path each : foldersBelow(folder)) {
        walk(each, others);
      }
      return;
    }
    List<Path> entries =
        first.isLiteral() ? List.of(folder.resolve(first.text())) : list(folder, first);
    for (Path entry : entries) {
      if (!others.isEmpty()) {
        if (Files.isDirectory(entry)) {
          walk(entry, others);
        }
      } else if (!DataFiles.isStaging(entry)) {
        FileTrouble.checkSourceLink(entry, entry.toString());
        if (Files.isRegularFile(entry)) {
          add(folder, entry);
        }
      }
    }
  }

  /// Of several names of a file the first counts.
  private void add(Path folder, Path file) {
    found.merge(
        real(folder).resolve(file.getFileName()),
        file,
        (one, other) -> one.compareTo(other) <= 0 ? one : other);
  }

  /// The folder itself and all below it, each once.
  private List<Path> foldersBelow(Path top) {
    Set<Path> seen = new HashSet<>(Set.of(real(top)));
    List<Path> all = new ArrayList<>();
    Deque<Path> open = new ArrayDeque<>(List.of(top));
    while (!open.isEmpty()) {
      Path folder = open.removeFirst();
      all.add(folder);
      for (Path entry : list(folder, GlobPattern.ANY)) {
        if (Files.isDirectory(entry) && seen.add(real(entry))) {
          open.add(entry);
        }
      }
    }
    return all;
  }

  private List<Path> list(Path folder, GlobPattern pattern) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> pattern.matches(String.valueOf(entry.getFileName())))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
  }

  private Path real(Path folder) {
    return realFolders.computeIfAbsent(
        folder,
        each -> {
          try {
            return each.toRealPath();
          } catch (IOException e) {
            throw unreadable(each, e);
          }
        });
  }

  private Fault.External unreadable(Path folder, IOException cause) {
    return new Fault.External(
        "Can't list the folder " + folder + " (" + glob + "): " + FileTrouble.reason(cause) + ".",
        cause instanceof StoreException told
            ? told.advice()
            : "Give yourself the permission, or write a glob that leaves the folder out.",
        cause);
  }
}
