package millrace.connectors.stores.s3;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import millrace.connectors.stores.StoreFilesSuite;
import millrace.spi.store.ObjectStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/// Files in a bucket.
class S3FilesTest extends StoreFilesSuite {

  private static S3Places places;
  private ObjectStore store;

  @BeforeAll
  static void startServer() {
    places = new S3Places();
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
    return "s3://" + S3Places.BUCKET + "/" + key;
  }

  @Override
  protected String settings() {
    return "?aws-profile=tests&endpoint="
        + URLEncoder.encode(places.server.endpoint().toString(), StandardCharsets.UTF_8);
  }
}
