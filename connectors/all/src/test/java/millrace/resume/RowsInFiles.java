package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import millrace.connectors.Connectors;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A file of rows, and copies of it into other files of the same folder.
public abstract class RowsInFiles {

  public static final int ROWS = 4000;
  private static final int BATCH_ROWS = 100;
  private static final long SPLIT_BYTES = 8 << 10;

  @TempDir public Path folder;

  @BeforeEach
  void makeRows() throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i).append(",\"name\n").append(i).append("\"\n");
    }
    Files.writeString(folder.resolve("in.csv"), text);
  }

  public final Endpoint file(String name) {
    return file(name, Map.of());
  }

  public final Endpoint file(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  /// A copy without --resume that commits 300 rows at a time.
  public static ResumableCopy copy(Endpoint from, Endpoint to, Mode mode, int lanes) {
    Copying copying =
        Copying.of(Connectors.ALL.of(from), from, Connectors.ALL.of(to), to)
            .mode(mode)
            .lanes(lanes, SPLIT_BYTES);
    return ResumableCopy.of(copying, BATCH_ROWS).unrequested();
  }

  public static void kill(ResumableCopy copy, int batches) {
    copy.kill(ResumableCopy.Kill.AMONG_ROWS, batches, true);
  }

  public final List<Path> files() {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(path -> !path.getFileName().toString().equals("in.csv"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// But marks of complete copies.
  public final List<String> unfinished() throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : hidden()) {
      boolean mark =
          name.endsWith(".journal")
              && Files.readString(folder.resolve(name)).contains("\"complete\":{");
      if (!mark) {
        names.add(name);
      }
    }
    return names;
  }

  public final List<String> hidden() {
    return files().stream()
        .map(path -> path.getFileName().toString())
        .filter(name -> name.startsWith("."))
        .toList();
  }

  public final void assertSameAsInput(String name) throws IOException {
    try (InputStream raw = Files.newInputStream(folder.resolve(name));
        InputStream text = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      assertThat(new String(text.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(Files.readString(folder.resolve("in.csv")));
    }
    assertThat(files().stream().filter(path -> !path.toString().endsWith(".journal")))
        .as("nothing else is left but a mark")
        .containsExactly(folder.resolve(name));
  }
}
