package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A folder that was built is copied or moved. Maven fails here, so that nothing can be built anew.
final class CopiedFolderIT {

  /// All that a build looks at, and what it made.
  private static final String PARTS =
      "millrace pom.xml build */pom.xml */src/main connectors/*/pom.xml connectors/*/src/main"
          + " cli/target/lib";

  /// What runs.
  private static final String INSTALLATION = "millrace cli/target/lib";

  private static final String TRAINS = "looks at how it runs, once";

  /// Oracle's driver is in a signed jar.
  private static final String NO_SERVER =
      "copy 'oracle://u:p@127.0.0.1:1/x?table=t' t.csv --retry-for 0";

  private static final String REFUSED = "No Oracle listener answers at 127.0.0.1:1.";

  @TempDir private Path home;

  @BeforeEach
  void mavenFails() throws IOException, InterruptedException {
    Path maven = Files.createDirectories(home.resolve("bin")).resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\necho 'Maven was called' >&2\nexit 1\n");
    Cli.Result result = shell("chmod +x bin/mvn; $millrace --version");
    assertThat(result.code()).as(result.err()).isZero();
  }

  private Cli.Result shell(String line) throws IOException, InterruptedException {
    return new Launched(home)
        .with("PATH", home.resolve("bin") + ":" + System.getenv("PATH"))
        .shell("root=$(dirname \"$millrace\"); " + line);
  }

  private static String copied(String parts, String how) {
    return "mkdir 'a copy'; (cd \"$root\" && tar cf - "
        + parts
        + ") | tar xf - "
        + how
        + " -C 'a copy' 2>tar.log; ";
  }

  /// All of it without its times, as `cp -r` makes files; what an installation needs, with them.
  @ParameterizedTest
  @ValueSource(strings = {PARTS + "|-m", INSTALLATION + "|"})
  void aCopyTakesWhatIsBuiltAndLearnsItsPlaceOnce(String way)
      throws IOException, InterruptedException {
    String[] parts = way.split("\\|", -1);
    Cli.Result first = shell(copied(parts[0], parts[1]) + "'a copy'/millrace " + NO_SERVER);
    assertThat(first.err()).contains(TRAINS, REFUSED).doesNotContain("builds", "sealing");
    Cli.Result second = shell("'a copy'/millrace --version");
    assertThat(second.err()).isEmpty();
    assertThat(shell("test -s 'a copy/cli/target/lib/millrace.aot'").code()).isZero();
  }

  @Test
  void aFolderThatWasMovedDoesNotTakeTheCacheOfItsOldPlace()
      throws IOException, InterruptedException {
    Cli.Result moved = shell(copied(PARTS, "") + "mv 'a copy' moved; moved/millrace " + NO_SERVER);
    assertThat(moved.err()).contains(TRAINS, REFUSED).doesNotContain("builds", "sealing");
  }

  @Test
  void aSymbolicLinkToTheFolderIsTheFolder() throws IOException, InterruptedException {
    assertThat(shell("ln -s \"$root\" link; link/millrace --version").err()).isEmpty();
  }

  /// It is slower, and does all the same.
  @Test
  void aCopyThatCanNotBeWrittenDoesWithout() throws IOException, InterruptedException {
    Cli.Result result =
        shell(copied(PARTS, "-m") + ": > 'a copy/target'; 'a copy'/millrace " + NO_SERVER);
    assertThat(result.err()).contains(REFUSED).doesNotContain(TRAINS, "sealing");
  }

  @Test
  void aSourceThatHasChangedInACopyIsBuilt() throws IOException, InterruptedException {
    Cli.Result result =
        shell(
            copied(PARTS, "-m")
                + "echo '// changed' >>'a copy/cli/src/main/java/millrace/cli/Millrace.java';"
                + " 'a copy'/millrace --version");
    assertThat(result.err()).contains("a source has changed", "Maven was called");
  }
}
