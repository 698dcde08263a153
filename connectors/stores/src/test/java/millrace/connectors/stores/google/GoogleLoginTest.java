package millrace.connectors.stores.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import millrace.connectors.stores.StorePlaces;
import millrace.fault.Fault;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a store says to who logs in. Google's library looks for a login once in a process, so this
/// is the only class that has one.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoogleLoginTest {

  private static final String USER_HOME = "user.home";

  private GooglePlaces places;
  private GoogleGate gate;
  private ObjectStore store;

  @BeforeAll
  void start(@TempDir Path home) throws IOException {
    places = new GooglePlaces();
    gate = new GoogleGate(places.server.port());
    Path file = home.resolve(".config/gcloud/application_default_credentials.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, gate.login());
    String before = System.setProperty(USER_HOME, home.toString());
    try {
      store = places.open(GooglePlaces.BUCKET, settings());
    } finally {
      System.setProperty(USER_HOME, before);
    }
  }

  @AfterAll
  void stop() {
    if (store != null) {
      store.close();
      gate.close();
      places.close();
    }
  }

  private Map<String, String> settings() {
    return Map.of("endpoint", gate.endpoint().toString(), "anonymous", "false");
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  @Test
  void aTokenThatIsTakenNoMoreIsRenewedOnceForAllLanes() throws IOException {
    byte[] bytes = bytes(32 << 20);
    store.put("long.bin", bytes, "");
    int before = gate.tokens();
    StorePath path = (StorePath) FileLocation.of("gs://lake/long.bin", settings()).path();
    try (InputStream in = path.open(0, bytes.length)) {
      assertThat(in.readNBytes(1000)).isEqualTo(Arrays.copyOf(bytes, 1000));
      gate.expire();
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 1000, bytes.length));
    }
    assertThat(gate.tokens()).isEqualTo(before + 1);
  }

  @Test
  void aLoginThatWasTakenBackIsToldOf() {
    gate.expire();
    gate.lock(true);
    try {
      assertDenied(() -> store.find("k"), "gs://lake/k: no token is to be had for the login: ");
    } finally {
      gate.lock(false);
    }
  }

  @Test
  void theRightThatIsLackingIsNamed() throws IOException {
    StoredObject object = store.put("k", bytes(5), null);
    Upload upload = store.upload("u");
    gate.refuse(" ", 403, "forbidden", Integer.MAX_VALUE);
    String denied = ": the store does not grant the right storage.objects.";
    try {
      assertDenied(() -> store.list("a/"), "gs://lake/a/" + denied + "list there");
      assertDenied(() -> store.uploads(""), "gs://lake/" + denied + "list there");
      assertDenied(() -> store.find("k"), "gs://lake/k" + denied + "get there");
      assertDenied(() -> store.read(object, 0, 5), "gs://lake/k" + denied + "get there");
      assertDenied(() -> store.put("k", bytes(5), ""), "gs://lake/k" + denied + "create there");
      assertDenied(() -> upload.put(1, bytes(5), 5), "gs://lake/u" + denied + "create there");
      assertDenied(() -> store.delete("k"), "gs://lake/k" + denied + "delete there");
    } finally {
      gate.refuse(" ", 403, "forbidden", 0);
    }
  }

  @Test
  void anybodyIsToldWhichRightIsLacking() throws IOException {
    store.put("secret.csv", bytes(5), null);
    try (ObjectStore anybody =
        places.open(GooglePlaces.BUCKET, Map.of("endpoint", gate.endpoint().toString()))) {
      assertDenied(
          () -> anybody.find("secret.csv"),
          "gs://lake/secret.csv: the store does not grant the right storage.objects.get there");
    }
  }

  /// The message's beginning, and no trace of the secret anywhere in what is thrown.
  private static void assertDenied(ThrowingCallable call, String message) {
    Throwable told = catchThrowable(call);
    assertThat(told).isInstanceOf(AccessDeniedException.class).hasMessageStartingWith(message);
    StringWriter all = new StringWriter();
    told.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(GoogleGate.SECRET, "Bearer");
  }

  @ParameterizedTest
  @CsvSource({
    "408, requestTimeout, the store answered 408 It says requestTimeout.",
    "500, internalError, the store answered 500 It says internalError.",
  })
  void whatMayPassIsAskedForAgain(int status, String reason, String message) throws IOException {
    store.put("busy.bin", bytes(7), null);
    gate.refuse("GET ", status, reason, 2);
    assertThat(StorePlaces.content(store, "busy.bin")).isEqualTo(bytes(7));

    gate.refuse("GET ", status, reason, 3);
    assertThatThrownBy(() -> store.find("busy.bin"))
        .isInstanceOfSatisfying(
            StoreException.class, told -> assertThat(told.isTransient()).isTrue())
        .hasMessage("gs://lake/busy.bin: " + message);
  }

  /// Whoever asked does that, and counts it.
  @ParameterizedTest
  @CsvSource({"429, rateLimitExceeded", "403, userRateLimitExceeded", "503, backendError"})
  void whatIsTurnedAwayIsToldAtOnce(int status, String reason) {
    gate.refuse("GET ", status, reason, 1);
    assertThatThrownBy(() -> store.find("k"))
        .isInstanceOfSatisfying(
            StoreException.class, told -> assertThat(told.isTurnedAway()).isTrue())
        .hasMessageStartingWith("gs://lake/k: the store limits the rate of requests");
  }

  @ParameterizedTest
  @CsvSource({
    "400, userProjectMissing, whoever asks for it pays",
    "400, invalid, the store answered 400 It says invalid.",
    "403, billingNotEnabled, nobody pays for its project any more",
  })
  void whatDoesNotPassIsNotAskedForAgain(int status, String reason, String message) {
    gate.refuse("GET ", status, reason, 1);
    assertThatThrownBy(() -> store.find("k"))
        .isInstanceOfSatisfying(
            StoreException.class, told -> assertThat(told.isTransient()).isFalse())
        .hasMessageStartingWith("gs://lake/k: " + message);
  }

  /// The emulator composes without looking at the condition.
  @Test
  void ofTwoThatComposeAnObjectTheLaterOneIsRefused() throws IOException {
    Upload upload = store.upload("composed.bin");
    List<Upload.Part> parts = List.of(upload.put(1, bytes(9), 9));
    gate.refuse("/compose?alt=json&ifGenerationMatch=0", 412, "conditionNotMet", 1);

    assertThatThrownBy(() -> upload.complete(parts, ""))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("gs://lake/composed.bin: it is there already");
    assertThat(upload.parts()).isEqualTo(parts);
    upload.abort();
  }

  /// The answer to the first try was lost, and the next one finds the object that it made.
  @Test
  void whatWasDoneIsNotRefusedWhenItIsTriedAgain() throws IOException {
    Upload upload = store.upload("done.bin");
    List<Upload.Part> parts = List.of(upload.put(1, bytes(9), 9));
    gate.doAndRefuse("/compose?alt=json&ifGenerationMatch=0", 412, "conditionNotMet");

    StoredObject written = upload.complete(parts, "");

    assertThat(StorePlaces.found(store, "done.bin")).isEqualTo(written);
    assertThat(store.uploads("done")).isEmpty();
  }

  @Test
  void aLoginIsNotSentWhereOthersCanReadIt() {
    assertThatThrownBy(() ->
            places.open(
                GooglePlaces.BUCKET,
                Map.of("endpoint", "http://storage.example", "anonymous", "false")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("would be sent your login over a connection that anybody can read");
  }
}
