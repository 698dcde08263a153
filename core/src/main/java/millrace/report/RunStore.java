package millrace.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.Found;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Earlier runs, one JSON file each, in a folder of the user's.
///
/// Several processes may keep runs at once: a file is written beside and renamed. The oldest go
/// once there are more than {@link #RUNS_MAX}. What copies found best stays for each pair of ends,
/// one small file for each in a folder below.
public final class RunStore {

  /// How many runs are kept.
  public static final int RUNS_MAX = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(RunStore.class);

  private static final String ENDING = ".json";
  private static final String PROFILE_ENDING = ".jfr";
  private static final ObjectMapper JSON = ReportJson.MAPPER;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final int PAIR_LETTERS = 16;

  private final Path folder;

  /// A store in that folder, which is made when the first run is kept.
  public RunStore(Path folder) {
    this.folder = folder;
  }

  /// A name for a run that begins now: its time in UTC and four letters, so that names sort by age.
  public static String newId(Instant startedAt) {
    StringBuilder id = new StringBuilder(TIME.format(startedAt)).append('-');
    for (int i = 0; i < 4; i++) {
      id.append((char) ('a' + RANDOM.nextInt(26)));
    }
    return id.toString();
  }

  /// A report as one line of JSON.
  public static String json(Report report) {
    try {
      return JSON.writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new Fault.Bug("a report does not become JSON", e);
    }
  }

  /// Keeps a report.
  ///
  /// @throws IOException where the folder can't be written
  public void keep(Report report) throws IOException {
    write(file(report.id()), report);
    if (report.outcome().equals("ok") && !report.found().equals(Found.NOTHING)) {
      Found best = report.found().or(found(report.from(), report.to()));
      write(pair(report.from(), report.to()), best);
    }
    List<Path> all = files();
    for (Path old : all.subList(0, Math.max(0, all.size() - RUNS_MAX))) {
      Files.deleteIfExists(old);
      String id = old.getFileName().toString().replace(ENDING, "");
      Files.deleteIfExists(profile(id));
    }
  }

  private static void write(Path file, Object content) throws IOException {
    Path in = file.toAbsolutePath().getParent();
    Files.createDirectories(in);
    Path partial = Files.createTempFile(in, file.getFileName().toString(), ".partial");
    try {
      Files.writeString(
          partial,
          JSON.writerWithDefaultPrettyPrinter().writeValueAsString(content)
              + System.lineSeparator());
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  /// What copies between two ends have found best so far.
  ///
  /// @param from the source's label
  /// @param to the target's label
  public Found found(String from, String to) {
    Path file = pair(from, to);
    try {
      return Files.exists(file) ? JSON.readValue(file.toFile(), Found.class) : Found.NOTHING;
    } catch (IOException e) {
      // It is found again.
      LOG.debug("{} can't be read", file, e);
      return Found.NOTHING;
    }
  }

  private Path pair(String from, String to) {
    byte[] both = (from + "\n" + to).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(both);
      String name = HexFormat.of().formatHex(hash).substring(0, PAIR_LETTERS);
      return folder.resolve("found").resolve(name + ENDING);
    } catch (NoSuchAlgorithmException e) {
      throw new Fault.Bug("every Java has SHA-256", e);
    }
  }

  /// A run that was kept.
  ///
  /// @param id its name
  /// @param report what it did, or null where its file can't be read
  public record Kept(String id, @Nullable Report report) {}

  /// The last runs, oldest first.
  ///
  /// @param most how many
  public List<Kept> last(int most) {
    List<Path> all = files();
    return all.subList(Math.max(0, all.size() - most), all.size()).stream()
        .map(RunStore::kept)
        .toList();
  }

  /// One run, by its name or by as many of its letters as no other begins with; `last` is the
  /// newest.
  ///
  /// @throws Fault.User where there is none, or several
  public Report find(String id) {
    List<Path> all = files();
    if (id.equals("last") && !all.isEmpty()) {
      return read(all.getLast());
    }
    List<Path> found =
        all.stream().filter(file -> file.getFileName().toString().startsWith(id)).toList();
    if (found.size() == 1) {
      return read(found.getFirst());
    }
    throw new Fault.User(
        found.isEmpty() ? "There is no run " + id + "." : "Several runs begin with " + id + ".",
        "`millrace runs` lists them.");
  }

  /// Where the recording of a run's profile is kept: beside its report, and as long.
  public Path profile(String id) {
    return folder.resolve(id + PROFILE_ENDING);
  }

  private Path file(String id) {
    return folder.resolve(id + ENDING);
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
      throw new Fault.External("Can't list the runs in " + folder + ": " + e.getMessage(), "", e);
    }
  }

  private static Kept kept(Path file) {
    String name = file.getFileName().toString();
    String id = name.substring(0, name.length() - ENDING.length());
    try {
      return new Kept(id, read(file));
    } catch (Fault.External _) {
      return new Kept(id, null);
    }
  }

  private static Report read(Path file) {
    try {
      return JSON.readValue(file.toFile(), Report.class);
    } catch (IOException e) {
      throw new Fault.External(
          file + " is not a report of a run.", "Delete it, or move it away.", e);
    }
  }
}
