package millrace.report.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskProbeTest {

  @TempDir private Path folder;

  @Test
  void writingIsMeasuredAndLeavesNothingBehind() throws IOException {
    DiskProbe.Rate rate = DiskProbe.write(folder);
    assertThat(rate.bytesPerS()).isPositive();
    assertThat(rate.how()).startsWith("sequential write");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFileOfAnyLengthIsReadAndStaysAsItIs() throws IOException {
    Path file = folder.resolve("x");
    Files.write(file, new byte[(9 << 20) + 777]);
    DiskProbe.Rate rate = DiskProbe.read(file);
    assertThat(rate.bytesPerS()).isPositive();
    assertThat(rate.how()).startsWith("sequential read");
    assertThat(file).hasSize((9 << 20) + 777);
  }

  @Test
  void aSmallFileTellsNothing() throws IOException {
    Path file = Files.write(folder.resolve("x"), new byte[1000]);
    assertThatThrownBy(() -> DiskProbe.read(file)).hasMessageContaining("too small");
  }
}
