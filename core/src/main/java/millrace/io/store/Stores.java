package millrace.io.store;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.spi.store.StoreProvider;
import org.jspecify.annotations.Nullable;

/// The stores that this process has opened. Each stays open until the process ends. Any thread.
final class Stores {

  private record Key(String scheme, String authority, Map<String, String> settings) {}

  /// Asked for once a text has a scheme.
  private static final class Providers {
    private static final Map<String, StoreProvider> BY_SCHEME = new ConcurrentHashMap<>();

    static {
      for (StoreProvider each : ServiceLoader.load(StoreProvider.class)) {
        each.schemes().forEach(scheme -> BY_SCHEME.put(scheme, each));
      }
    }
  }

  private static final Map<Key, StoreFileSystem> OPEN = new ConcurrentHashMap<>();

  private Stores() {}

  static boolean isScheme(String scheme) {
    return Providers.BY_SCHEME.containsKey(scheme);
  }

  /// @throws Fault.User if it can't be opened
  static StoreFileSystem open(String scheme, String authority, Map<String, String> settings) {
    StoreProvider provider = provider(scheme);
    if (authority.isEmpty()) {
      throw new Fault.User(
          scheme + ":// names no bucket.", "Write " + scheme + "://BUCKET/folder/file.csv.");
    }
    return OPEN.computeIfAbsent(
        new Key(scheme, authority, settings),
        _ ->
            new StoreFileSystem(
                scheme + "://" + authority + "/", provider.open(scheme, authority, settings)));
  }

  private static StoreProvider provider(String scheme) {
    @Nullable StoreProvider provider = Providers.BY_SCHEME.get(scheme);
    if (provider == null) {
      throw new Fault.Bug("no store of " + scheme, null);
    }
    return provider;
  }
}
