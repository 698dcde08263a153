package millrace.connectors.stores.google;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
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
import millrace.testkit.server.ServerPorts;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What goes wrong on the way to a store, and what it refuses.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoogleTroubleTest {

  private GooglePlaces places;
  private ObjectStore store;

  @BeforeAll
  void start() {
    places = new GooglePlaces();
    store = places.open();
  }

  @AfterAll
  void stop() {
    if (places != null) {
      store.close();
      places.close();
    }
  }

  private FaultyProxy proxy(IntFunction<ConnectionFault> faults) {
    return new FaultyProxy("127.0.0.1", places.server.port(), faults);
  }

  private static Map<String, String> through(FaultyProxy proxy) {
    return Map.of("anonymous", "true", "endpoint", "http://127.0.0.1:" + proxy.port());
  }

  /// A file as it is read by a copy.
  private StorePath path(String key, FaultyProxy proxy) {
    return (StorePath) FileLocation.of(places.root() + key, through(proxy)).path();
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

  @Test
  void aReadDoesNotGoOnInAnotherObject() throws IOException {
    byte[] bytes = bytes(32 << 20);
    store.put("mixed.bin", bytes, null);
    try (FaultyProxy proxy = proxy(_ -> new ConnectionFault.None());
        InputStream in = path("mixed.bin", proxy).open(0, bytes.length)) {
      assertThat(in.readNBytes(1000)).hasSize(1000);
      store.put("mixed.bin", bytes((32 << 20) + 1), null);
      proxy.resetAll();

      assertThatThrownBy(in::readAllBytes)
          .isInstanceOf(StoreException.class)
          .hasMessage("gs://lake/mixed.bin: it was written to since it was looked at");
    }
  }

  /// The store has done what it was asked for, and the answer was lost: the next try finds it done.
  @Test
  void whatWasDoneIsNotRefusedWhenItIsTriedAgain() throws IOException {
    byte[] bytes = bytes(1000);
    try (FaultyProxy proxy = proxy(_ -> new ConnectionFault.None());
        ObjectStore broken = places.open(GooglePlaces.BUCKET, through(proxy))) {
      proxy.loseAnswersTo("uploadType=multipart&ifGenerationMatch=0".getBytes(US_ASCII), 0, 1);
      StoredObject written = broken.put("lost.bin", bytes, "");
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertThat(StorePlaces.found(store, "lost.bin")).isEqualTo(written);

      Upload upload = broken.upload("lost.parts");
      List<Upload.Part> parts = List.of(upload.put(1, bytes, bytes.length));
      proxy.loseAnswersTo("/compose?alt=json&ifGenerationMatch=0".getBytes(US_ASCII), 0, 1);
      upload.complete(parts, "");
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertThat(StorePlaces.content(store, "lost.parts")).isEqualTo(bytes);
    }
  }

  @Test
  void aBucketThatIsNotThereIsNamed() {
    try (ObjectStore nowhere = places.open("nowhere", Map.of())) {
      String reason = ": the store has no bucket called nowhere";
      assertMissing(() -> nowhere.list("a/"), "gs://nowhere/a/" + reason);
      assertMissing(() -> nowhere.find("a"), "gs://nowhere/" + reason);
      assertMissing(() -> nowhere.uploads(""), "gs://nowhere/" + reason);
      assertMissing(() -> nowhere.put("a", new byte[1], null), "gs://nowhere/a" + reason);
      assertMissing(() -> nowhere.upload("a").put(1, new byte[1], 1), "gs://nowhere/a" + reason);
    }
  }

  private static void assertMissing(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, told -> assertThat(told.advice()).contains("gcloud storage ls"))
        .hasMessage(message);
  }

  @Test
  void partsAreNotFilesOfTheFolder() throws IOException {
    Upload upload = store.upload("hidden/a.csv");
    upload.put(1, bytes(3), 3);
    store.put("hidden/.b.csv", bytes(3), null);
    store.put("hidden/.b.csv.millrace", bytes(3), null);

    assertThat(store.list("hidden/").objects())
        .extracting(StoredObject::key)
        .containsExactly("hidden/.b.csv", "hidden/.b.csv.millrace");
    assertThat(store.list("hidden/.a").objects()).isEmpty();
    upload.abort();
    assertThat(store.uploads("hidden/")).isEmpty();
  }

  @Test
  void anObjectThatMarksAFolderIsNoFile() throws IOException {
    store.put("marked/folder/", new byte[0], null);
    store.put("marked/folder/a.csv", bytes(3), null);

    assertThat(store.list("marked/folder/").objects())
        .extracting(StoredObject::key)
        .containsExactly("marked/folder/a.csv");
    assertThat(store.list("marked/fol").folders()).containsExactly("marked/folder/");
  }

  @Test
  void aStoreThatIsNotThereCantBeReached() throws IOException {
    try (ObjectStore down =
        places.open(
            GooglePlaces.BUCKET, Map.of("endpoint", "http://127.0.0.1:" + ServerPorts.free()))) {
      assertThatThrownBy(() -> down.find("k"))
          .isInstanceOfSatisfying(
              StoreException.class, told -> assertThat(told.isTransient()).isTrue())
          .hasMessage("gs://lake/k: the server can't be reached");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endpoint|localhost:9000|The endpoint is no address of a store",
        "endpoint|ftp://host|The endpoint is no address of a store",
        "endpoint|http://me:geheim@host|The endpoint is no address of a store",
        "endpoint|http://a b|The endpoint is no address of a store",
        "endpoint|https://host/?key=geheim|The endpoint is no address of a store",
        "anonymous|1|anonymous=1 is neither true nor false",
      })
  void aSettingThatMakesNoSenseIsRefused(String name, String value, String message) {
    assertThatThrownBy(() -> places.open(GooglePlaces.BUCKET, Map.of(name, value)))
        .isInstanceOf(Fault.User.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("geheim");
  }
}
