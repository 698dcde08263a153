package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.testkit.SourceCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./new-connector` writes, compiled as it stands there.
class NewConnectorTest {

  private static final Path ROOT = Path.of("..", "..");

  @TempDir private Path folder;

  /// Runs the script in a copy of what it reads and changes.
  private List<Path> written(String... arguments) throws IOException, InterruptedException {
    List<Path> needed = new ArrayList<>();
    Stream.of(
            "new-connector",
            "pom.xml",
            "connectors/pom.xml",
            "connectors/sql/pom.xml",
            "connectors/all/pom.xml",
            "connectors/all/src/main/java/millrace/connectors/Connectors.java")
        .forEach(name -> needed.add(Path.of(name)));
    Path example = Path.of("connectors/sql/src/test/java/millrace/connectors/sql/h2");
    try (Stream<Path> files = Files.list(ROOT.resolve(example))) {
      files.forEach(file -> needed.add(example.resolve(file.getFileName())));
    }
    for (Path each : needed) {
      Path copy = folder.resolve(each);
      Files.createDirectories(copy.getParent());
      Files.copy(ROOT.resolve(each), copy);
    }
    List<String> command = new ArrayList<>(List.of("bash", "new-connector"));
    command.addAll(List.of(arguments));
    Process script =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor()).as(said).isZero();
    try (Stream<Path> made = Files.walk(folder.resolve("connectors/tried"))) {
      return made.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static List<String> names(List<Path> sources) {
    return sources.stream().map(file -> file.getFileName().toString()).toList();
  }

  @Test
  void aDatabaseInFilesHasTheSuitesOfBoth() throws IOException, InterruptedException {
    List<Path> sources = written("tried");
    assertThat(names(sources))
        .contains(
            "TriedConnector.java", "TriedResumeSuiteTest.java", "TriedServerResumeSuiteTest.java");
    SourceCompiler.compile(sources, folder);
  }

  @Test
  void aServerHasItsSuitesAndItsStart() throws IOException, InterruptedException {
    List<Path> sources = written("tried", "--server");
    assertThat(names(sources))
        .containsExactlyInAnyOrder(
            "package-info.java",
            "TriedConnector.java",
            "TriedDialect.java",
            "TriedServer.java",
            "TriedFixture.java",
            "TriedSuiteTest.java",
            "TriedTypesSuiteTest.java",
            "TriedRunsSuiteTest.java",
            "TriedResumeFixture.java",
            "TriedResumeSuiteTest.java",
            "TriedResumeFaultSuiteTest.java",
            "TriedResumeChoiceSuiteTest.java");
    SourceCompiler.compile(sources, folder);
    assertThat(Files.readString(folder.resolve("connectors/tried/pom.xml")))
        .contains("<artifactId>h2</artifactId>")
        .doesNotContain("<scope>test</scope>");
  }
}
