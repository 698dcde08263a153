package millrace.connectors.stores.azure;

import java.io.IOException;
import millrace.connectors.stores.StoreLimitsSuite;
import millrace.spi.store.ObjectStore;
import millrace.testkit.server.AzureServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/// An account that limits requests.
@Tag("long")
class AzureLimitsTest extends StoreLimitsSuite {

  private static AzurePlaces places;

  @BeforeAll
  static void start() {
    places = new AzurePlaces();
  }

  @AfterAll
  static void stop() {
    places.close();
  }

  @Override
  protected void put(String key, byte[] content) throws IOException {
    try (ObjectStore store = places.open()) {
      store.put(key, content, null);
    }
  }

  @Override
  protected int port() {
    return places.server.port();
  }

  @Override
  protected String location(String key, int port) {
    return "az://%s/%s?endpoint=http://127.0.0.1:%d/%s"
        .formatted(AzurePlaces.CONTAINER, key, port, AzureServer.ACCOUNT);
  }
}
