package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFileTest {

  @TempDir private Path home;

  @Test
  void aFileIsMadeWithItsFolderAndTakesThePlaceOfAnother() throws IOException {
    Path folder = home.resolve("a").resolve("b");
    AtomicFile.write(folder, "one.yaml", "first");
    AtomicFile.write(folder, "one.yaml", "second");
    assertThat(folder.resolve("one.yaml")).hasContent("second");
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all).hasSize(1);
    }
  }

  @Test
  void nothingIsLeftOfWhatCanNotTakeItsPlace() throws IOException {
    Path there = Files.createDirectory(home.resolve("one.yaml"));
    Files.writeString(there.resolve("x"), "kept");
    assertThatThrownBy(() -> AtomicFile.write(home, "one.yaml", "text"))
        .isInstanceOf(IOException.class);
    assertThat(there.resolve("x")).hasContent("kept");
    try (Stream<Path> left = Files.list(home)) {
      assertThat(left).containsExactly(there);
    }
  }
}
