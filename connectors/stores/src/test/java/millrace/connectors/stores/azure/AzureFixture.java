package millrace.connectors.stores.azure;

import java.util.HashMap;
import java.util.Map;
import millrace.connectors.stores.StoreResumeFixture;
import millrace.spi.Connector;
import millrace.spi.store.ObjectStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Files of CSV in a container, whose parts may be of any length. It has no tests.
abstract class AzureFixture extends StoreResumeFixture {

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
  public Connector connector() {
    return new AzureConnector();
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
    Map<String, String> all = new HashMap<>(SHORT_PARTS);
    all.put("endpoint", places.server.endpoint().toString());
    return all;
  }
}
