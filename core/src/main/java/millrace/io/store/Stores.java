package millrace.io.store;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.spi.store.StoreProvider;
import millrace.text.Amount;
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

  /// Long enough for one request to be worth it, and short enough to hold some.
  private static final int PART_BYTES = 8 << 20;

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
    int partBytes = partBytes(settings.get(StoreOptions.PART_SIZE));
    return OPEN.computeIfAbsent(
        new Key(scheme, authority, settings),
        _ ->
            new StoreFileSystem(
                scheme + "://" + authority + "/",
                provider.open(scheme, authority, settings),
                partBytes));
  }

  private static int partBytes(@Nullable String text) {
    if (text == null) {
      return PART_BYTES;
    }
    Amount size = Amount.parse(StoreOptions.PART_SIZE, text);
    if (!size.inBytes() || size.number() > StoreWriter.PART_BYTES_MAX) {
      throw new Fault.User(
          StoreOptions.PART_SIZE + "=" + text + " is no length of a part.",
          "Say a size of at most 1GB, such as 64MB.");
    }
    return (int) size.number();
  }

  private static StoreProvider provider(String scheme) {
    @Nullable StoreProvider provider = Providers.BY_SCHEME.get(scheme);
    if (provider == null) {
      throw new Fault.Bug("no store of " + scheme, null);
    }
    return provider;
  }
}
