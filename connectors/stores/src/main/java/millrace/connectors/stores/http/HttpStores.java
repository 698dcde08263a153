package millrace.connectors.stores.http;

import java.util.Map;
import java.util.Set;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreProvider;

/// Web servers: `https://host/data.csv.gz`.
public final class HttpStores implements StoreProvider {

  @Override
  public Set<String> schemes() {
    return Set.of("http", "https");
  }

  @Override
  public ObjectStore open(String scheme, String authority, Map<String, String> settings) {
    return new HttpStore(scheme + "://" + authority + "/", settings.getOrDefault("query", ""));
  }
}
