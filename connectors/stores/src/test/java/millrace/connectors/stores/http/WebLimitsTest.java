package millrace.connectors.stores.http;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.connectors.stores.StoreLimitsSuite;
import millrace.testkit.server.WebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A web server that limits requests.
class WebLimitsTest extends StoreLimitsSuite {

  @TempDir private Path served = Path.of("");
  private WebServer server;

  @BeforeEach
  void start() throws IOException {
    server = new WebServer(served, true);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected void put(String key, byte[] content) throws IOException {
    Files.write(served.resolve(key), content);
  }

  @Override
  protected int port() {
    return URI.create(server.url("")).getPort();
  }

  @Override
  protected String location(String key, int port) {
    return "http://127.0.0.1:" + port + "/" + key;
  }

  @Override
  protected boolean writes() {
    return false;
  }
}
