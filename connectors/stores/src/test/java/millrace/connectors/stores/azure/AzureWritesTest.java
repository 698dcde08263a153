package millrace.connectors.stores.azure;

import java.util.Map;
import millrace.connectors.stores.StoreWritesSuite;
import millrace.spi.store.ObjectStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Files that are written to a container.
class AzureWritesTest extends StoreWritesSuite {

  private static AzurePlaces places;
  private static ObjectStore store;

  @BeforeAll
  static void startServer() {
    places = new AzurePlaces();
    store = places.open();
  }

  @AfterAll
  static void stopServer() {
    places.close();
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected String root() {
    return "az://" + AzurePlaces.CONTAINER + "/";
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("endpoint", places.server.endpoint().toString());
  }

  /// Azure drops blocks that no file was made of, after a week.
  @Override
  protected boolean abortsUploads() {
    return false;
  }
}
