package millrace.connectors.stores.google;

import java.util.Map;
import millrace.connectors.stores.StoreWritesSuite;
import millrace.spi.store.ObjectStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Files that are written to a bucket of Google.
class GoogleWritesTest extends StoreWritesSuite {

  private static GooglePlaces places;
  private static ObjectStore store;

  @BeforeAll
  static void startServer() {
    places = new GooglePlaces();
    store = places.open();
  }

  @AfterAll
  static void stopServer() {
    store.close();
    places.close();
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected String root() {
    return places.root();
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("endpoint", places.server.endpoint().toString(), "anonymous", "true");
  }
}
