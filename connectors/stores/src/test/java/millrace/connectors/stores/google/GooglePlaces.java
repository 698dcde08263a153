package millrace.connectors.stores.google;

import java.util.HashMap;
import java.util.Map;
import millrace.connectors.stores.StorePlaces;
import millrace.spi.store.ObjectStore;
import millrace.testkit.server.GoogleServer;

/// A store for tests, which asks nobody who they are.
final class GooglePlaces implements StorePlaces {

  static final String BUCKET = "lake";

  final GoogleServer server = GoogleServer.start(BUCKET);

  @Override
  public ObjectStore open() {
    return open(BUCKET, Map.of());
  }

  /// @param settings beside those that make it work, or in their place
  ObjectStore open(String bucket, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("endpoint", server.endpoint().toString());
    all.put("anonymous", "true");
    all.putAll(settings);
    return new GoogleStores().open("gs", bucket, all);
  }

  @Override
  public String root() {
    return "gs://" + BUCKET + "/";
  }

  @Override
  public String settings() {
    return "anonymous=true&" + StorePlaces.endpoint(server.endpoint());
  }

  @Override
  public void close() {
    server.close();
  }
}
