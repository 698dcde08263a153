package millrace.connectors.stores.azure;

import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import java.util.HashMap;
import java.util.Map;
import millrace.connectors.stores.StorePlaces;
import millrace.spi.store.ObjectStore;
import millrace.testkit.server.AzureServer;

/// An account for tests, with one container. The environment names it while this is open.
final class AzurePlaces implements StorePlaces {

  static final String CONTAINER = "lake";

  private static final Map<String, String> ENVIRONMENT =
      Map.of("AZURE_STORAGE_ACCOUNT", AzureServer.ACCOUNT, "AZURE_STORAGE_KEY", AzureServer.KEY);

  final AzureServer server = AzureServer.start();

  /// Azure's own client of it, to make what ours does not.
  final BlobServiceClient account =
      new BlobServiceClientBuilder()
          .endpoint(server.endpoint().toString())
          .credential(new StorageSharedKeyCredential(AzureServer.ACCOUNT, AzureServer.KEY))
          .buildClient();

  AzurePlaces() {
    login();
    account.createBlobContainer(CONTAINER);
  }

  /// What the environment says of the account.
  static void login() {
    ENVIRONMENT.forEach(System::setProperty);
  }

  @Override
  public ObjectStore open() {
    return open(CONTAINER, Map.of());
  }

  @Override
  public String root() {
    return "az://" + CONTAINER + "/";
  }

  @Override
  public String settings() {
    return StorePlaces.endpoint(server.endpoint());
  }

  /// @param settings beside the endpoint, or in its place
  ObjectStore open(String authority, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("endpoint", server.endpoint().toString());
    all.putAll(settings);
    return new AzureStores().open(authority.contains("@") ? "abfss" : "az", authority, all);
  }

  /// Opens it as somebody else does.
  ///
  /// @param environment in the place of the account's own
  ObjectStore openIn(
      Map<String, String> environment, String authority, Map<String, String> settings) {
    ENVIRONMENT.keySet().forEach(System::clearProperty);
    environment.forEach(System::setProperty);
    try {
      return open(authority, settings);
    } finally {
      environment.keySet().forEach(System::clearProperty);
      ENVIRONMENT.forEach(System::setProperty);
    }
  }

  @Override
  public void close() {
    ENVIRONMENT.keySet().forEach(System::clearProperty);
    server.close();
  }
}
