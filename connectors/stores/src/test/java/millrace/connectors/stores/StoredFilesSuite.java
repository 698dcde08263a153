package millrace.connectors.stores;

import java.io.IOException;
import java.util.function.Supplier;
import millrace.spi.store.ObjectStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// Files in a bucket.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoredFilesSuite extends StoreFilesSuite {

  private final Supplier<? extends StorePlaces> starting;
  private StorePlaces places;
  private ObjectStore store;

  /// @param starting starts the store
  protected StoredFilesSuite(Supplier<? extends StorePlaces> starting) {
    this.starting = starting;
  }

  @BeforeAll
  final void start() {
    places = starting.get();
    store = places.open();
  }

  @AfterAll
  final void stop() {
    // Nothing was started on a machine that lacks what the server needs.
    if (places != null) {
      store.close();
      places.close();
    }
  }

  @Override
  protected final void put(String key, byte[] content) throws IOException {
    store.put(key, content, null);
  }

  @Override
  protected final String location(String key) {
    return places.root() + key;
  }

  @Override
  protected final String settings() {
    return "?" + places.settings();
  }
}
