package millrace.connectors.stores.s3;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import millrace.connectors.stores.StoreWritesSuite;
import millrace.spi.store.ObjectStore;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.suite.SourceHook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that are written to a bucket.
class S3WritesTest extends StoreWritesSuite {

  private static S3Places places;
  private static FaultyProxy proxy;
  private static ObjectStore store;

  @BeforeAll
  static void startServer() {
    places = new S3Places();
    proxy = new FaultyProxy("127.0.0.1", places.server.port(), _ -> new ConnectionFault.None());
    store = places.open();
  }

  @AfterAll
  static void stopServer() {
    store.close();
    proxy.close();
    places.close();
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected String root() {
    return "s3://" + S3Places.BUCKET + "/";
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("aws-profile", "tests", "endpoint", "http://127.0.0.1:" + proxy.port());
  }

  /// The copy goes on while something happens in its midst.
  private void goesOnAfter(String key, Runnable trouble) throws IOException {
    SourceHook hook = midway(trouble);
    assertThat(patient(key).hooked(hook).run().meter().rows()).isPositive();
    assertWhole(key);
  }

  @Test
  void aCopyGoesOnIfTheServerIsKilled() throws IOException {
    goesOnAfter("killed.csv", places.server::restart);
  }

  @Test
  void aCopyGoesOnIfConnectionsBreak() throws IOException {
    goesOnAfter("reset.csv", proxy::resetAll);
  }

  /// Of the beginning of the upload, of its second part, and of its end.
  @ParameterizedTest
  @ValueSource(strings = {"?uploads", "partNumber=2", "POST /lake/lost.csv?uploadId"})
  void anAnswerMayBeLost(String request) throws IOException {
    proxy.loseAnswersTo(request.getBytes(US_ASCII), 0, 1);
    patient("lost.csv").run();
    assertThat(proxy.hasLostAnswers()).isTrue();
    // Nobody was told of the id of an upload whose first answer was lost; it has no parts.
    if (!request.equals("?uploads")) {
      assertWhole("lost.csv");
    }
  }

  /// The store does not answer any more, until the copy has given up.
  @Test
  void aCopyThatLosesItsStoreIsResumed() throws IOException {
    SourceHook hook =
        SourceHook.after(
            MIDWAY,
            0,
            () -> {
              proxy.refuse(true);
              proxy.resetAll();
            });
    assertThat(resumable("away.csv").hooked(hook).attempt().result().fault()).isNotNull();
    proxy.refuse(false);
    resumable("away.csv").run();
    assertWhole("away.csv");
  }
}
