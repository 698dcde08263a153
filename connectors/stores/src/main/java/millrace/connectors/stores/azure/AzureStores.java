package millrace.connectors.stores.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import millrace.connectors.stores.StoreSettings;
import millrace.fault.Fault;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreProvider;
import org.jspecify.annotations.Nullable;

/// Opens containers: `az://container/path` of the account that the environment names, as it does to
/// Azure's own tools, and `abfss://container@account.dfs.core.windows.net/path`.
///
/// The environment's key or SAS token is used for its own account. To others, and without one, it
/// is a login: of a service, of this machine, or of `az login`.
public final class AzureStores implements StoreProvider {

  /// Tries of one request, with backoff between them.
  static final int TRIES = 8;

  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(60);

  /// What all containers share, made for the first: whoever asks for the schemes needs nothing of
  /// it.
  private static final class Sdk {
    private static final RequestRetryOptions RETRIES =
        new RequestRetryOptions(
            RetryPolicyType.EXPONENTIAL,
            TRIES,
            null,
            Duration.ofMillis(50),
            Duration.ofSeconds(4),
            null);

    private static final HttpClient CONNECTIONS =
        new JdkHttpClientBuilder()
            .connectionTimeout(Duration.ofSeconds(10))
            .writeTimeout(SILENCE_TIMEOUT)
            .responseTimeout(SILENCE_TIMEOUT)
            .readTimeout(SILENCE_TIMEOUT)
            .build();
  }

  private static final String ADVICE =
      "Set AZURE_STORAGE_ACCOUNT, and AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or"
          + " AZURE_STORAGE_CONNECTION_STRING.";

  // What an account is described by, as connection strings call it.
  private static final String NAME = "AccountName";
  private static final String KEY = "AccountKey";
  private static final String SAS = "SharedAccessSignature";
  private static final String ADDRESS = "BlobEndpoint";

  @Override
  public Set<String> schemes() {
    return Set.of("az", "abfss");
  }

  @Override
  public ObjectStore open(String scheme, String authority, Map<String, String> settings) {
    String root = scheme + "://" + authority + "/";
    String[] names = authority.split("@", 2);
    Map<String, String> account = account(names.length == 2 ? names[1] : "");
    URI address = address(root, account, settings.get("endpoint"));
    BlobContainerClientBuilder builder =
        new BlobContainerClientBuilder()
            .endpoint(address.toString())
            .containerName(names[0])
            .httpClient(Sdk.CONNECTIONS)
            .retryOptions(Sdk.RETRIES)
            .addPolicy(new LimitPolicy());
    if (StoreSettings.flag(settings, "anonymous", false)) {
      builder.setAnonymousAccess();
    } else if (account.containsKey(NAME) && account.containsKey(KEY)) {
      builder.credential(key(account.get(NAME), account.get(KEY)));
    } else if (account.containsKey(SAS)) {
      builder.sasToken(account.get(SAS));
    } else if (address.getScheme().equals("https")) {
      builder.credential(new DefaultAzureCredentialBuilder().build());
    } else {
      throw new Fault.User(
          "Nothing says who you are to " + root + ", and a login is sent by https alone.", ADVICE);
    }
    return new AzureStore(builder.buildClient(), root);
  }

  /// What the environment says of an account; the connection string comes first.
  ///
  /// @param host the account's, if the location names it, else empty
  private static Map<String, String> account(String host) {
    Map<String, String> account = new HashMap<>();
    Map.of(
            "AZURE_STORAGE_ACCOUNT", NAME,
            "AZURE_STORAGE_KEY", KEY,
            "AZURE_STORAGE_SAS_TOKEN", SAS,
            "AZURE_STORAGE_SERVICE_ENDPOINT", ADDRESS)
        .forEach((variable, part) -> account.put(part, environment(variable)));
    for (String each : environment("AZURE_STORAGE_CONNECTION_STRING").split(";", -1)) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        account.put(each.substring(0, equals).strip(), each.substring(equals + 1).strip());
      }
    }
    account.values().removeIf(String::isEmpty);
    String name = host.split("\\.", 2)[0];
    if (!name.isEmpty()) {
      if (!name.equals(account.getOrDefault(NAME, name))) {
        account.clear();
      }
      account.put(NAME, name);
      account.putIfAbsent(ADDRESS, "https://" + host.replace(".dfs.", ".blob."));
    }
    return account;
  }

  private static String environment(String name) {
    // Azure's libraries for Java read properties of these names, too.
    @Nullable String value = System.getProperty(name, System.getenv(name));
    return value == null ? "" : value;
  }

  private static URI address(String root, Map<String, String> account, @Nullable String given) {
    String suffix = account.getOrDefault("EndpointSuffix", "core.windows.net");
    String usual =
        account.containsKey(NAME) ? "https://" + account.get(NAME) + ".blob." + suffix : "";
    String text = given == null ? account.getOrDefault(ADDRESS, usual) : given;
    if (text.isEmpty()) {
      throw new Fault.User("Nothing says in which storage account " + root + " is.", ADVICE);
    }
    return StoreSettings.endpoint(text, "a storage account", "https://HOST:PORT/ACCOUNT");
  }

  private static StorageSharedKeyCredential key(String name, String key) {
    try {
      Base64.getDecoder().decode(key);
    } catch (IllegalArgumentException _) {
      // Its message would tell of the key.
      throw new Fault.User("The key of storage account " + name + " is none.", ADVICE);
    }
    return new StorageSharedKeyCredential(name, key);
  }
}
