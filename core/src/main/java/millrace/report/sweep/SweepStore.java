package millrace.report.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.report.ReportJson;
import org.jspecify.annotations.Nullable;

/// Earlier sweeps, one JSON file and one page each, in a folder of the user's. Written beside and
/// renamed; the oldest go once there are more than {@link #SWEEPS_MAX}.
public final class SweepStore {

  /// How many sweeps are kept: each holds the reports of all its copies.
  public static final int SWEEPS_MAX = 100;

  private static final String ENDING = ".json";
  private static final String PAGE_ENDING = ".html";

  private final Path folder;

  /// A store in that folder, which is made when the first sweep is kept.
  public SweepStore(Path folder) {
    this.folder = folder;
  }

  /// Keeps a sweep.
  ///
  /// @throws IOException where the folder can't be written
  public void keep(Sweep sweep) throws IOException {
    Files.createDirectories(folder);
    Path partial = Files.createTempFile(folder, sweep.id(), ".partial");
    try {
      Files.writeString(partial, ReportJson.MAPPER.writeValueAsString(sweep));
      Files.move(partial, folder.resolve(sweep.id() + ENDING), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
    List<Path> all = files();
    for (Path old : all.subList(0, Math.max(0, all.size() - SWEEPS_MAX))) {
      Files.deleteIfExists(old);
      Files.deleteIfExists(page(id(old)));
    }
  }

  /// Where a sweep's page is kept: beside it, and as long.
  public Path page(String id) {
    return folder.resolve(id + PAGE_ENDING);
  }

  /// Whether there is one of exactly that name.
  public boolean has(String id) {
    return files().stream().anyMatch(file -> id(file).equals(id));
  }

  /// The one sweep whose name begins so, or null where there is none; `last` is the newest.
  ///
  /// @throws Fault.User where there are several
  public @Nullable Sweep find(String id) {
    List<Path> all = files();
    if (id.equals("last")) {
      return all.isEmpty() ? null : read(all.getLast());
    }
    List<Path> found = all.stream().filter(file -> id(file).startsWith(id)).toList();
    if (found.size() > 1) {
      throw new Fault.User("Several sweeps begin with " + id + ".", "Write more of its name.");
    }
    return found.isEmpty() ? null : read(found.getFirst());
  }

  private static String id(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ENDING.length());
  }

  private List<Path> files() {
    try (Stream<Path> listed = Files.list(folder)) {
      return listed
          .filter(file -> file.getFileName().toString().endsWith(ENDING))
          .sorted(Comparator.comparing(file -> file.getFileName().toString()))
          .toList();
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      throw new Fault.External("Can't list the sweeps in " + folder + ": " + e.getMessage(), "", e);
    }
  }

  private static Sweep read(Path file) {
    try {
      return ReportJson.MAPPER.readValue(file.toFile(), Sweep.class);
    } catch (IOException e) {
      throw new Fault.External(file + " is not a sweep.", "Delete it, or move it away.", e);
    }
  }
}
