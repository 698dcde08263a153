package millrace.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import millrace.testkit.NotOffered;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A second client that nobody here wrote: python-oracledb's thin one works with the stand-in.
@Tag("stand-in")
class OraclePythonTest {

  private static final Path SOURCES = Path.of("src/test/python");
  private static final Path INSTALLED = Path.of("target/python");
  private static final Path PYTHON = INSTALLED.resolve("bin/python").toAbsolutePath();

  @ParameterizedTest
  @EnumSource(OracleRelease.class)
  void allPartsOfItsSmokeTestPass(OracleRelease release) {
    install();
    try (OracleServer server = OracleServer.start(release)) {
      Ended ended =
          run(
              PYTHON.toString(),
              SOURCES.resolve("oracle_client.py").toString(),
              "" + server.port(),
              server.service(),
              server.user(),
              server.password());
      assertThat(ended.said()).contains("\ndone ");
      assertThat(ended.code()).isZero();
      assertThat(server.log().events(LogEvent.Executed.class))
          .anyMatch(each -> each.executions() == 1_000 && each.rows() == 1_000);
      assertThat(server.log().events(LogEvent.DirectPathFinished.class))
          .containsExactly(new LogEvent.DirectPathFinished(101, "PY_STREAM", 1_000));
      assertThat(server.log().events(LogEvent.LoggedOff.class)).hasSize(1);
    }
  }

  /// Installs what the list of libraries says, once for each version of it.
  private static synchronized void install() {
    Path wanted = SOURCES.resolve("requirements.txt");
    Path done = INSTALLED.resolve("requirements.txt");
    try {
      if (Files.exists(done) && Files.mismatch(done, wanted) < 0) {
        return;
      }
      Ended made = run("python3", "-m", "venv", INSTALLED.toString());
      if (made.code() != 0) {
        throw new NotOffered("oracle", "python-oracledb, since no python3 with venv is here");
      }
      Ended installed =
          run(
              PYTHON.toString(),
              "-m",
              "pip",
              "install",
              "--quiet",
              "--disable-pip-version-check",
              "--only-binary",
              ":all:",
              "-r",
              wanted.toString());
      if (installed.code() != 0) {
        throw new NotOffered("oracle", "python-oracledb, since pip can't install it here");
      }
      Files.copy(wanted, done, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("what was installed can't be marked", e);
    }
  }

  private record Ended(int code, String said) {}

  private static Ended run(String... command) {
    try {
      Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(process.waitFor(), said);
    } catch (IOException e) {
      return new Ended(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while Python ran", e);
    }
  }
}
