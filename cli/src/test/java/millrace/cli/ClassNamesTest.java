package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A class name stands for one thing in the whole project, so that it can be searched for and
/// spoken of without its package.
class ClassNamesTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path MAIN = Path.of("src", "main", "java");

  @Test
  void noClassNameStandsTwice() throws IOException {
    Set<String> names = new TreeSet<>();
    Set<String> twice = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      files
          .filter(ClassNamesTest::isMain)
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(name -> !name.equals("package-info"))
          .filter(name -> !names.add(name))
          .forEach(twice::add);
    }
    assertThat(names).hasSizeGreaterThan(500).contains("CopyCommand", "LanePool", "PostgresSource");
    assertThat(twice).as("names that stand twice in main code").isEmpty();
  }

  private static boolean isMain(Path file) {
    return file.toString().endsWith(".java")
        && ROOT.relativize(file).toString().contains(MAIN.toString());
  }
}
