package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What one copy found best, the next between the same ends begins with.
final class RememberedTest {

  @TempDir private Path home;
  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  private String plan(String to, String... more) {
    String[] words = new String[more.length + 4];
    System.arraycopy(
        new String[] {"copy", "generate:tokens?rows=1000000", to, "--dry-run"}, 0, words, 0, 4);
    System.arraycopy(more, 0, words, 4, more.length);
    return new Cli(home).run(words).out();
  }

  @Test
  void aBatchedInsertBeginsWithTheNumberOfRowsThatWasBestBefore() {
    String to = server.url(database) + "?table=tokens&method=direct";
    String other = server.url(database) + "?table=others&method=direct";
    String normal = server.url(database) + "?table=tokens&method=normal";
    assertThat(plan(to)).doesNotContain("units ");
    Cli.Result first = new Cli(home).run("copy", "generate:tokens?rows=1000000", to, "-v");
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.err()).containsPattern("units +write [0-9]+, found by trying");
    assertThat(plan(to, "--mode", "truncate"))
        .containsPattern("units +write [0-9]+, best for the copy before")
        .contains("rows are handed over by INSERT (method=direct)");
    assertThat(plan(to, "--mode", "truncate", "--write-unit", "7", "--commit-unit", "1MB"))
        .as("what is asked is not sought")
        .contains("units    write 7, as requested")
        .doesNotContain("the copy before");
    assertThat(plan(other)).doesNotContain("units ");
    assertThat(plan(normal, "--mode", "truncate"))
        .as("by another method something else may be best")
        .contains("(method=normal)")
        .doesNotContain("the copy before");
  }

  @Test
  void aNumberOfRowsThatNoStatementCanHoldIsNotWhatIsRemembered() throws IOException {
    Path rows = home.resolve("rows.csv");
    String wide = "x".repeat(4200) + "\n";
    // Enough for the search to end, although each request is faster while the JVM warms up.
    Files.writeString(rows, "a\n" + wide.repeat(40_000));
    String to = server.url(database) + "?table=wide&method=direct";
    Cli.Result copied = new Cli(home).run("copy", rows.toString(), to, "--lanes=1", "-v");
    assertThat(copied.code()).as(copied.err()).isZero();
    assertThat(copied.err()).containsPattern("units +write [1-9][0-9]{2}, found by trying");
  }
}
