import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Runs google-java-format over every source of the project that has changed since it last found
/// all of them formatted; the build starts it from this source file.
///
/// Arguments: `check` (names the files that are not formatted, and fails) or `write` (formats them
/// in place), then the project's folder.
public final class Format {
  private Format() {}

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[1]);
    Path formatted = root.resolve("target/formatter/formatted");
    FileTime now = FileTime.from(Instant.now());
    List<String> sources = changedSince(formatted, sources(root));
    if (sources.isEmpty()) {
      return;
    }
    boolean write = args[0].equals("write");
    List<String> command = new ArrayList<>();
    command.addAll(write ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    command.addAll(sources);
    PrintWriter out = new PrintWriter(System.out, true);
    PrintWriter err = new PrintWriter(System.err, true);
    int status = new Main(out, err, System.in).format(command.toArray(String[]::new));
    if (status != 0) {
      err.println("The files above are not formatted: ./format does it.");
    } else {
      Files.writeString(formatted, "");
      Files.setLastModifiedTime(formatted, now);
    }
    System.exit(status);
  }

  private static List<String> changedSince(Path formatted, List<String> sources)
      throws IOException {
    if (!Files.exists(formatted)) {
      return sources;
    }
    FileTime last = Files.getLastModifiedTime(formatted);
    List<String> changed = new ArrayList<>();
    for (String source : sources) {
      if (Files.getLastModifiedTime(Path.of(source)).compareTo(last) >= 0) {
        changed.add(source);
      }
    }
    return changed;
  }

  private static List<String> sources(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    addJava(root.resolve("build"), found);
    for (Path parent : List.of(root, root.resolve("connectors"))) {
      try (Stream<Path> modules = Files.list(parent)) {
        modules
            .map(module -> module.resolve("src"))
            .filter(Files::isDirectory)
            .forEach(src -> addJava(src, found));
      }
    }
    return found;
  }

  private static void addJava(Path folder, List<String> found) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.map(Path::toString).filter(name -> name.endsWith(".java")).sorted().forEach(found::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
