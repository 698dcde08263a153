package millrace.connectors.stores.s3;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
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
import millrace.testkit.server.S3Server;
import millrace.testkit.server.ServerPorts;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What goes wrong on the way to a store, and what it refuses.
class S3TroubleTest {

  private static S3Places places;
  private static ObjectStore store;

  @BeforeAll
  static void start() {
    places = new S3Places();
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
    return places.open(S3Places.BUCKET, Map.of("endpoint", "http://127.0.0.1:" + proxy.port()));
  }

  /// A file as it is read by a copy.
  private static StorePath path(String key, FaultyProxy proxy) {
    Map<String, String> settings =
        Map.of("aws-profile", "tests", "endpoint", "http://127.0.0.1:" + proxy.port());
    return (StorePath) FileLocation.of("s3://" + S3Places.BUCKET + "/" + key, settings).path();
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
          .hasMessage("s3://lake/mixed.bin: it was written to since it was looked at");
    }
  }

  @Test
  void aConnectionThatAlwaysBreaksIsGivenUp() throws IOException {
    store.put("always.bin", bytes(1 << 20), null);
    try (FaultyProxy proxy = proxy(_ -> new ConnectionFault.None());
        InputStream in = path("always.bin", proxy).open(0, 1 << 20)) {
      assertThat(in.read()).isNotNegative();
      proxy.refuse(true);
      proxy.resetAll();

      assertThatThrownBy(in::readAllBytes)
          .isInstanceOfSatisfying(
              StoreException.class, told -> assertThat(told.isTransient()).isTrue())
          .hasMessageStartingWith("s3://lake/always.bin: ");
    }
  }

  /// The store has done what it was asked for, and the answer was lost: the next try finds it done.
  @Test
  void whatWasDoneIsNotRefusedWhenItIsTriedAgain() throws IOException {
    byte[] bytes = bytes(1000);
    try (FaultyProxy proxy = proxy(_ -> new ConnectionFault.None());
        ObjectStore broken = through(proxy)) {
      proxy.loseAnswersTo("PUT /lake/lost.bin".getBytes(US_ASCII), 0, 1);
      StoredObject written = broken.put("lost.bin", bytes, "");
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertThat(StorePlaces.found(store, "lost.bin").identity()).isEqualTo(written.identity());

      Upload upload = broken.upload("lost.parts");
      List<Upload.Part> parts = List.of(upload.put(1, bytes, bytes.length));
      proxy.loseAnswersTo("POST /lake/lost.parts".getBytes(US_ASCII), 0, 1);
      upload.complete(parts, "");
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertThat(StorePlaces.content(store, "lost.parts")).isEqualTo(bytes);
    }
  }

  @Test
  void aStoreThatComesBackIsAskedAgain() throws IOException {
    StorePlaces.put(store, "restart.csv", "x");

    places.server.restart();

    assertThat(StorePlaces.content(store, "restart.csv")).isEqualTo(new byte[] {'x'});
  }

  @Test
  void aBucketThatIsNotThereIsNamed() {
    try (ObjectStore nowhere = places.open("nowhere", Map.of())) {
      String reason = ": the store has no bucket called nowhere";
      assertStore(() -> nowhere.list("a/"), "s3://nowhere/a/" + reason);
      assertStore(() -> nowhere.find("a"), "s3://nowhere/" + reason);
      assertStore(() -> nowhere.upload("a"), "s3://nowhere/a" + reason);
      assertStore(() -> nowhere.uploads(""), "s3://nowhere/" + reason);
      assertStore(() -> nowhere.put("a", new byte[1], null), "s3://nowhere/a" + reason);
    }
  }

  private static void assertStore(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(StoreException.class).hasMessage(message);
  }

  @Test
  void aWrongKeyIsToldFromAWrongSecret() {
    try (ObjectStore stranger = places.open(S3Places.BUCKET, Map.of("aws-profile", "stranger"));
        ObjectStore liar = places.open(S3Places.BUCKET, Map.of("aws-profile", "liar"))) {
      assertDenied(() -> stranger.list(""), "s3://lake/: the store does not know that access key");
      assertDenied(
          () -> stranger.put("k", new byte[1], null),
          "s3://lake/k: the store does not know that access key");
      assertDenied(
          () -> liar.put("k", bytes(20 << 20), null),
          "s3://lake/k: the secret key does not belong to that access key");
    }
  }

  @Test
  void theRightThatIsLackingIsNamed() throws IOException {
    StoredObject object = store.put("k", bytes(5), null);
    try (ObjectStore anybody = places.open(S3Places.BUCKET, Map.of("anonymous", "true"))) {
      String denied = ": the store does not grant the right ";
      assertDenied(() -> anybody.list("a/"), "s3://lake/a/" + denied + "s3:ListBucket there");
      assertDenied(
          () -> anybody.find("k"),
          "s3://lake/k"
              + denied
              + "s3:GetObject, or s3:ListBucket if there is no such object there");
      assertDenied(() -> anybody.read(object, 0, 5), "s3://lake/k" + denied + "s3:GetObject there");
      assertDenied(
          () -> anybody.put("k", new byte[1], ""), "s3://lake/k" + denied + "s3:PutObject there");
      assertDenied(() -> anybody.delete("k"), "s3://lake/k" + denied + "s3:DeleteObject there");
    }
  }

  /// The message, and no trace of the secret anywhere in what is thrown.
  private static void assertDenied(ThrowingCallable call, String message) {
    Throwable told = catchThrowable(call);
    assertThat(told).isInstanceOf(AccessDeniedException.class).hasMessage(message);
    StringWriter all = new StringWriter();
    told.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(S3Server.SECRET_KEY, S3Server.ACCESS_KEY);
  }

  @Test
  void aStoreThatIsNotThereCantBeReached() throws IOException {
    try (ObjectStore down =
        places.open(
            S3Places.BUCKET, Map.of("endpoint", "http://127.0.0.1:" + ServerPorts.free()))) {
      assertThatThrownBy(() -> down.find("k"))
          .isInstanceOfSatisfying(
              StoreException.class, told -> assertThat(told.isTransient()).isTrue())
          .hasMessage("s3://lake/k: the store can't be reached: Connection refused");
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
        "path-style|yes|path-style=yes is neither true nor false",
        "anonymous|1|anonymous=1 is neither true nor false",
        "region|eu west|region=eu west is no region",
        "aws-profile|nobody|Profile nobody gives no credentials for S3: ",
        "aws-profile|empty|Profile empty gives no credentials for S3: ",
      })
  void aSettingThatMakesNoSenseIsRefused(String name, String value, String message) {
    assertThatThrownBy(() -> places.open(S3Places.BUCKET, Map.of(name, value)))
        .isInstanceOf(Fault.User.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("geheim");
  }
}
