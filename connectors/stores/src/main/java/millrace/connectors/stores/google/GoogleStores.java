package millrace.connectors.stores.google;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import millrace.connectors.stores.StoreSettings;
import millrace.fault.Fault;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreProvider;
import org.jspecify.annotations.Nullable;

/// Opens buckets of Google Cloud Storage, as whom Google's own tools would: see {@link
/// GoogleLogin}.
public final class GoogleStores implements StoreProvider {

  private static final URI GOOGLE = URI.create("https://storage.googleapis.com");

  /// By which Google's own clients find an emulator. It asks nobody who they are.
  private static final String EMULATOR = "STORAGE_EMULATOR_HOST";

  @Override
  public Set<String> schemes() {
    return Set.of("gs");
  }

  @Override
  public ObjectStore open(String scheme, String authority, Map<String, String> settings) {
    boolean anonymous = StoreSettings.flag(settings, "anonymous", false);
    @Nullable String given = settings.get("endpoint");
    @Nullable String emulator = given == null ? System.getenv(EMULATOR) : null;
    URI endpoint = GOOGLE;
    if (emulator != null && !emulator.isBlank()) {
      endpoint = endpoint(emulator.contains("://") ? emulator : "http://" + emulator);
      anonymous = true;
    } else if (given != null) {
      endpoint = endpoint(given);
    }
    if (!anonymous && !isPrivate(endpoint)) {
      throw new Fault.User(
          "gs://%s/ would be sent your login over a connection that anybody can read."
              .formatted(authority),
          "Write endpoint=https://…, or anonymous=true if the store asks nobody who they are.");
    }
    String root = endpoint.toString().replaceFirst("/+(storage/v1/*)?$", "");
    return new GoogleStore(
        new GoogleBucket(authority, root, anonymous ? null : GoogleLogin.find(authority)));
  }

  private static URI endpoint(String given) {
    return StoreSettings.endpoint(given, "a store", "https://HOST:PORT");
  }

  /// Whether what is sent there can't be read on the way.
  private static boolean isPrivate(URI endpoint) {
    return endpoint.getScheme().equals("https")
        || endpoint.getHost().matches("localhost|127(\\.[0-9]+){3}|\\[::1]");
  }
}
