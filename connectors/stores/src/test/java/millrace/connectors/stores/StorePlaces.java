package millrace.connectors.stores;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Objects;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoredObject;

/// A real store for tests, with one bucket. Closing it stops its server.
public interface StorePlaces extends AutoCloseable {

  /// The bucket, by a client of its own, as another process has one.
  ObjectStore open();

  /// What a user's names of its objects begin with.
  String root();

  /// What has to follow such a name, so that the store is reached.
  String settings();

  @Override
  void close();

  static String endpoint(URI endpoint) {
    return "endpoint=" + URLEncoder.encode(endpoint.toString(), UTF_8);
  }

  static StoredObject put(ObjectStore store, String key, String text) throws IOException {
    return store.put(key, text.getBytes(UTF_8), null);
  }

  static StoredObject found(ObjectStore store, String key) throws IOException {
    return Objects.requireNonNull(store.find(key), key);
  }

  static byte[] content(ObjectStore store, String key) throws IOException {
    StoredObject object = found(store, key);
    try (InputStream in = store.read(object, 0, object.size())) {
      return in.readAllBytes();
    }
  }
}
