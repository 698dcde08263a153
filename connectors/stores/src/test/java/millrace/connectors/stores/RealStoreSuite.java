package millrace.connectors.stores;

import java.util.function.Supplier;
import millrace.spi.store.ObjectStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// One real store for all tests of a class. It has no tests.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RealStoreSuite {

  private final Supplier<? extends StorePlaces> starting;
  private StorePlaces places;
  private ObjectStore store;

  /// @param starting starts the store
  protected RealStoreSuite(Supplier<? extends StorePlaces> starting) {
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

  protected final ObjectStore store() {
    return store;
  }

  /// The same bucket, by a client of its own.
  protected final ObjectStore open() {
    return places.open();
  }

  /// What a user's names of objects begin with.
  protected final String root() {
    return places.root();
  }
}
