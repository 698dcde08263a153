package millrace.connectors.stores;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// What a location says of how its store is reached, checked in one way for all stores.
public final class StoreSettings {

  private StoreSettings() {}

  /// A setting that is true or false.
  ///
  /// @param otherwise what it is if nothing is said
  public static boolean flag(Map<String, String> settings, String name, boolean otherwise) {
    @Nullable String given = settings.get(name);
    return switch (given) {
      case null -> otherwise;
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new Fault.User(
              "%s=%s is neither true nor false".formatted(name, given), "Write " + name + "=true.");
    };
  }

  /// Where a store answers. What was given is not repeated: it could hold a password.
  ///
  /// @param store what it has to be the address of
  /// @param form what such an address looks like
  public static URI endpoint(String given, String store, String form) {
    try {
      URI uri = new URI(given);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null) {
        return uri;
      }
    } catch (URISyntaxException _) {
      throw unusable(store, form);
    }
    throw unusable(store, form);
  }

  private static Fault.User unusable(String store, String form) {
    return new Fault.User(
        "The endpoint is no address of " + store,
        "Write endpoint=" + form + ", without a password or a token.");
  }
}
