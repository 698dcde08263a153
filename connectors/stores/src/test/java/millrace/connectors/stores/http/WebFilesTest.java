package millrace.connectors.stores.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.connectors.stores.StoreFilesSuite;
import millrace.testkit.server.WebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files on a web server that gives parts of them.
class WebFilesTest extends StoreFilesSuite {

  @TempDir private Path served = Path.of("");
  private WebServer server;

  /// Whether the server gives parts.
  boolean gives() {
    return true;
  }

  @BeforeEach
  void start() throws IOException {
    server = new WebServer(served, gives());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected void put(String key, byte[] content) throws IOException {
    Path file = served.resolve(key);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  @Override
  protected String location(String key) {
    return server.url(key);
  }

  @Override
  protected boolean lists() {
    return false;
  }

  @Override
  protected boolean hasRanges() {
    return gives();
  }

  WebServer server() {
    return server;
  }

  @Test
  void whatSignsAUrlIsNotTold() throws IOException {
    put("signed.csv", "id\n1\n".getBytes(StandardCharsets.UTF_8));
    String signed = location("signed.csv") + "?X-Amz-Signature=0123456789abcdef&delimiter=x";
    assertThat(copied(signed, 1)).containsExactly("1", "id");
    assertThat(end(signed).label()).isEqualTo(location("signed.csv"));
    assertThatThrownBy(() -> copied(location("none.csv") + "?token=0123456789abcdef", 1))
        .hasMessage("There is no file " + location("none.csv") + ".");
  }

  @Test
  void aServerThatHasNoTimeIsAskedAgain() throws IOException {
    String text = rows(0, 100_000);
    put("busy.csv", text.getBytes(StandardCharsets.UTF_8));
    assertThat(copied(location("busy.csv"), 1)).hasSize(200_001);
    server.refuse(2);
    assertThat(copied(location("busy.csv"), 2)).isEqualTo(sorted(text));
  }

  @Test
  void ofAnAnswerThatBreaksOffTheRestIsAskedFor() throws IOException {
    requireRanges();
    String text = rows(0, 200_000);
    put("broken.csv", text.getBytes(StandardCharsets.UTF_8));
    server.breakOff(5);
    assertThat(copied(location("broken.csv"), 2)).isEqualTo(sorted(text));
  }
}
