package millrace.connectors.stores.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import millrace.connectors.stores.StoreFilesSuite;
import millrace.spi.store.ObjectStore;
import millrace.testkit.server.AzureServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Files in a container.
class AzureFilesTest extends StoreFilesSuite {

  private static AzurePlaces places;
  private ObjectStore store;

  @BeforeAll
  static void startServer() {
    places = new AzurePlaces();
  }

  @AfterAll
  static void stopServer() {
    places.close();
  }

  @BeforeEach
  void start() {
    store = places.open();
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Override
  protected void put(String key, byte[] content) throws IOException {
    store.put(key, content, null);
  }

  @Override
  protected String location(String key) {
    return "az://" + AzurePlaces.CONTAINER + "/" + key;
  }

  @Override
  protected String settings() {
    return "?endpoint="
        + URLEncoder.encode(places.server.endpoint().toString(), StandardCharsets.UTF_8);
  }

  @Test
  void theSpellingOfDataLakeStorageNamesTheAccount() throws IOException {
    store.put("spelled/a b.csv", rows(0, 10).getBytes(StandardCharsets.UTF_8), null);
    String container =
        "abfss://%s@%s.dfs.core.windows.net".formatted(AzurePlaces.CONTAINER, AzureServer.ACCOUNT);
    assertThat(copied(container + "/spelled/*.csv", 2)).isEqualTo(sorted(rows(0, 10)));
    assertThat(copied(container + "/spelled/a b.csv", 1)).isEqualTo(sorted(rows(0, 10)));
  }
}
