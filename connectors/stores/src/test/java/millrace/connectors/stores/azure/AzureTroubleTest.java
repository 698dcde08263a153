package millrace.connectors.stores.azure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import millrace.connectors.stores.StorePlaces;
import millrace.fault.Fault;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.server.AzureServer;
import millrace.testkit.server.ServerPorts;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What goes wrong on the way to a store, and what it refuses.
class AzureTroubleTest {

  private static AzurePlaces places;
  private static ObjectStore store;

  @BeforeAll
  static void start() {
    places = new AzurePlaces();
    store = places.open();
  }

  @AfterAll
  static void stop() {
    store.close();
    places.close();
  }

  private static FaultyProxy proxy(IntFunction<ConnectionFault> faults) {
    return new FaultyProxy("127.0.0.1", places.server.port(), faults);
  }

  private static ObjectStore through(FaultyProxy proxy) {
    return places.open(AzurePlaces.CONTAINER, Map.of("endpoint", endpoint(proxy.port())));
  }

  /// A file as it is read by a copy.
  private static StorePath path(String key, FaultyProxy proxy) {
    Map<String, String> settings = Map.of("endpoint", endpoint(proxy.port()));
    return (StorePath) FileLocation.of(places.root() + key, settings).path();
  }

  private static String endpoint(int port) {
    return "http://127.0.0.1:" + port + "/" + AzureServer.ACCOUNT;
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aReadGoesOnBehindABrokenConnection(boolean byReset) throws IOException {
    byte[] bytes = bytes(8 << 20);
    store.put("broken.bin", bytes, null);
    IntFunction<ConnectionFault> faults =
        number -> {
          long after = number < 5 ? 1_000_000L + number : Long.MAX_VALUE;
          return byReset ? new ConnectionFault.Reset(after) : new ConnectionFault.Cut(after);
        };
    try (FaultyProxy proxy = proxy(faults);
        InputStream in = path("broken.bin", proxy).open(3, bytes.length - 1)) {
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 3, bytes.length - 1));
      assertThat(proxy.harmed()).isEqualTo(5);
    }
  }

  /// The store has done what it was asked for, and the answer was lost: the next try finds it done.
  @Test
  void whatWasDoneIsNotRefusedWhenItIsTriedAgain() throws IOException {
    byte[] bytes = bytes(1000);
    try (FaultyProxy proxy = proxy(_ -> new ConnectionFault.None());
        ObjectStore broken = through(proxy)) {
      proxy.loseAnswersTo("lost.bin?comp=blocklist".getBytes(US_ASCII), 0, 1);
      StoredObject written = broken.put("lost.bin", bytes, "");
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertThat(StorePlaces.found(store, "lost.bin").identity()).isEqualTo(written.identity());

      Upload upload = broken.upload("lost.parts");
      List<Upload.Part> parts = List.of(upload.put(1, bytes, bytes.length));
      proxy.loseAnswersTo("lost.parts?comp=blocklist".getBytes(US_ASCII), 0, 1);
      upload.complete(parts, "");
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertThat(StorePlaces.content(store, "lost.parts")).isEqualTo(bytes);
    }
  }

  @Test
  void aContainerThatIsNotThereIsNamed() {
    try (ObjectStore nowhere = places.open("nowhere", Map.of())) {
      String reason = ": the account has no such container";
      assertStore(() -> nowhere.list("a/"), "az://nowhere/a/" + reason);
      assertStore(() -> nowhere.find("a"), "az://nowhere/a" + reason);
      assertStore(() -> nowhere.uploads(""), "az://nowhere/" + reason);
      assertStore(() -> nowhere.put("a", new byte[1], null), "az://nowhere/a" + reason);
    }
  }

  private static void assertStore(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(StoreException.class).hasMessage(message);
  }

  @Test
  void aWrongKeyIsRefusedAndNotTold() {
    String wrong = "bm90VGhlS2V5T2ZUaGlzQWNjb3VudEF0QWxsMDEyMzQ1Njc4OQ==";
    Map<String, String> environment =
        Map.of("AZURE_STORAGE_ACCOUNT", AzureServer.ACCOUNT, "AZURE_STORAGE_KEY", wrong);
    String denied = ": the account does not grant the right to ";
    try (ObjectStore liar = places.openIn(environment, AzurePlaces.CONTAINER, Map.of())) {
      assertDenied(() -> liar.list(""), "az://lake/" + denied + "list there");
      assertDenied(() -> liar.find("k"), "az://lake/k" + denied + "read there");
      assertDenied(
          () -> liar.put("k", bytes(20 << 20), null), "az://lake/k" + denied + "write there");
    }
  }

  @Test
  void anybodySeesNothingOfAContainerThatIsNotPublic() throws IOException {
    StoredObject object = store.put("k", bytes(5), null);
    String denied = ": the account does not grant the right to ";
    try (ObjectStore anybody = places.open(AzurePlaces.CONTAINER, Map.of("anonymous", "true"))) {
      assertDenied(() -> anybody.list("a/"), "az://lake/a/" + denied + "list there");
      assertDenied(() -> anybody.find("k"), "az://lake/k" + denied + "read there");
      assertDenied(() -> anybody.read(object, 0, 5), "az://lake/k" + denied + "read there");
      assertDenied(() -> anybody.delete("k"), "az://lake/k" + denied + "delete there");
    }
  }

  @Test
  void anybodyReadsAPublicContainer() throws IOException {
    places.account.createBlobContainer("open");
    BlobContainerClient open = places.account.getBlobContainerClient("open");
    open.setAccessPolicy(PublicAccessType.CONTAINER, null);
    open.getBlobClient("a b.csv").upload(BinaryData.fromString("id"));
    try (ObjectStore anybody = places.open("open", Map.of("anonymous", "true"))) {
      assertThat(anybody.list("").objects()).hasSize(1);
      assertThat(StorePlaces.content(anybody, "a b.csv")).isEqualTo(new byte[] {'i', 'd'});
      assertThatThrownBy(() -> anybody.put("k", new byte[1], ""))
          .isInstanceOf(AccessDeniedException.class);
    }
  }

  @Test
  void aSasTokenGivesTheRightsThatItNames() throws IOException {
    StoredObject object = store.put("sas.csv", bytes(5), null);
    String token =
        places
            .account
            .getBlobContainerClient(AzurePlaces.CONTAINER)
            .generateSas(
                new BlobServiceSasSignatureValues(
                    OffsetDateTime.now(ZoneOffset.UTC).plusDays(1),
                    new BlobContainerSasPermission().setReadPermission(true)));
    String denied = ": the account does not grant the right to ";
    for (String written : List.of(token, "?" + token)) {
      Map<String, String> environment =
          Map.of("AZURE_STORAGE_ACCOUNT", AzureServer.ACCOUNT, "AZURE_STORAGE_SAS_TOKEN", written);
      try (ObjectStore reader = places.openIn(environment, AzurePlaces.CONTAINER, Map.of())) {
        assertThat(StorePlaces.content(reader, "sas.csv")).hasSize((int) object.size());
        assertDenied(() -> reader.list("a/"), "az://lake/a/" + denied + "list there", token);
        assertDenied(
            () -> reader.put("k", new byte[1], ""), "az://lake/k" + denied + "write there", token);
      }
    }
  }

  @Test
  void aConnectionStringAndTheOtherSpellingLeadToTheSame() throws IOException {
    store.put("spelled.csv", bytes(5), null);
    String connection =
        "DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=%s;"
            .formatted(AzureServer.ACCOUNT, AzureServer.KEY, places.server.endpoint());
    Map<String, String> environment =
        Map.of("AZURE_STORAGE_ACCOUNT", "another", "AZURE_STORAGE_CONNECTION_STRING", connection);
    String host = "lake@" + AzureServer.ACCOUNT + ".dfs.core.windows.net";
    try (ObjectStore first = places.openIn(environment, AzurePlaces.CONTAINER, Map.of());
        ObjectStore second = places.openIn(environment, host, Map.of());
        ObjectStore third = places.open(host, Map.of())) {
      for (ObjectStore each : List.of(first, second, third)) {
        assertThat(StorePlaces.content(each, "spelled.csv")).hasSize(5);
      }
      assertThatThrownBy(() -> second.read(StorePlaces.found(second, "spelled.csv"), 0, 6))
          .hasMessage("abfss://" + host + "/spelled.csv: it ends at byte 5");
    }
  }

  /// The key of one account is not sent to another.
  @Test
  void aLocationThatNamesAnotherAccountDoesNotGetTheKey() {
    assertThatThrownBy(() -> places.open("lake@another.dfs.core.windows.net", Map.of()))
        .isInstanceOf(Fault.User.class)
        .hasMessage(
            "Nothing says who you are to abfss://lake@another.dfs.core.windows.net/, and a login"
                + " is sent by https alone.");
  }

  @Test
  void aFolderOfDataLakeStorageIsNoFile() throws IOException {
    BlobContainerClient client = places.account.getBlobContainerClient(AzurePlaces.CONTAINER);
    BlockBlobClient folder = client.getBlobClient("marked/folder").getBlockBlobClient();
    folder.commitBlockList(List.of());
    folder.setMetadata(Map.of("hdi_isfolder", "true"));
    store.put("marked/folder/a.csv", bytes(3), null);

    ObjectStore.Listing listing = store.list("marked/");

    assertThat(listing.objects()).isEmpty();
    assertThat(listing.folders()).containsExactly("marked/folder/");
    assertThat(store.find("marked/folder")).isNull();
  }

  /// The message, and no trace of the secret anywhere in what is thrown.
  private static void assertDenied(ThrowingCallable call, String message) {
    assertDenied(call, message, AzureServer.KEY);
  }

  private static void assertDenied(ThrowingCallable call, String message, String secret) {
    Throwable told = catchThrowable(call);
    assertThat(told).isInstanceOf(AccessDeniedException.class).hasMessage(message);
    StringWriter all = new StringWriter();
    told.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(AzureServer.KEY, secret);
  }

  @Test
  void aStoreThatIsNotThereCantBeReached() throws IOException {
    try (ObjectStore down =
        places.open(AzurePlaces.CONTAINER, Map.of("endpoint", endpoint(ServerPorts.free())))) {
      assertThatThrownBy(() -> down.find("k"))
          .isInstanceOfSatisfying(
              StoreException.class, told -> assertThat(told.isTransient()).isTrue())
          .hasMessage("az://lake/k: the store can't be reached");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endpoint|localhost:9000|The endpoint is no address of a storage account",
        "endpoint|ftp://host|The endpoint is no address of a storage account",
        "endpoint|http://me:geheim@host|The endpoint is no address of a storage account",
        "endpoint|http://a b|The endpoint is no address of a storage account",
        "endpoint|https://host/account?sig=geheim|The endpoint is no address of a storage account",
        "anonymous|1|anonymous=1 is neither true nor false",
      })
  void aSettingThatMakesNoSenseIsRefused(String name, String value, String message) {
    assertThatThrownBy(() -> places.open(AzurePlaces.CONTAINER, Map.of(name, value)))
        .isInstanceOf(Fault.User.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("geheim");
  }

  @Test
  void aKeyThatIsNoneIsNotRepeated() {
    Map<String, String> environment =
        Map.of("AZURE_STORAGE_ACCOUNT", "mine", "AZURE_STORAGE_KEY", "geheim!");
    assertThatThrownBy(() -> places.openIn(environment, AzurePlaces.CONTAINER, Map.of()))
        .isInstanceOf(Fault.User.class)
        .hasMessage("The key of storage account mine is none.");
  }
}
