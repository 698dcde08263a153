package millrace.connectors.stores.s3;

import java.io.IOException;
import millrace.connectors.stores.StoreLimitsSuite;
import millrace.spi.store.ObjectStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// A gateway that limits requests.
class S3LimitsTest extends StoreLimitsSuite {

  private static S3Places places;

  @BeforeAll
  static void start() {
    places = new S3Places();
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
    return "s3://%s/%s?aws-profile=tests&endpoint=http://127.0.0.1:%d"
        .formatted(S3Places.BUCKET, key, port);
  }
}
