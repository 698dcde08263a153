package millrace.connectors.couchdb.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import millrace.connectors.couchdb.KeepingServer;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a request sends is its body, however much of it is asked for at a time.
class SlicedBodyPublisherTest {

  /// Takes what comes and asks for more from within.
  private static final class Taking implements Subscriber<ByteBuffer> {
    private final long atOnce;
    private final int enough;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private @Nullable Subscription subscription;
    private int pieces;
    private int ends;

    /// @param atOnce how many pieces are asked for at a time
    /// @param enough at how many it says that it wants no more
    Taking(long atOnce, int enough) {
      this.atOnce = atOnce;
      this.enough = enough;
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      given.request(atOnce);
    }

    @Override
    public void onNext(ByteBuffer piece) {
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      taken.writeBytes(bytes);
      pieces++;
      if (subscription == null) {
        throw new AssertionError("a piece came before its subscription");
      } else if (pieces == enough) {
        subscription.cancel();
      } else {
        subscription.request(atOnce);
      }
    }

    @Override
    public void onError(Throwable failure) {
      throw new AssertionError(failure);
    }

    @Override
    public void onComplete() {
      ends++;
    }
  }

  private static byte[] body(int length) {
    byte[] body = new byte[length + 100];
    new Random(length).nextBytes(body);
    return body;
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1",
    "65536, 1",
    "65537, 1",
    "1000000, 1",
    "1000000, 3",
    "1000000, 9223372036854775807"
  })
  void allOfItComesOnceAndInOrderToEverySubscriber(int length, long atOnce) {
    byte[] body = body(length);
    SlicedBodyPublisher pieces = new SlicedBodyPublisher(body, length);
    assertThat(pieces.contentLength()).isEqualTo(length);
    for (int i = 0; i < 2; i++) {
      Taking taking = new Taking(atOnce, Integer.MAX_VALUE);
      pieces.subscribe(taking);
      assertThat(taking.taken.toByteArray()).isEqualTo(Arrays.copyOf(body, length));
      assertThat(taking.ends).isEqualTo(1);
    }
  }

  @Test
  void nothingComesToWhoWantsNoMore() {
    Taking taking = new Taking(Long.MAX_VALUE, 2);
    new SlicedBodyPublisher(body(1_000_000), 1_000_000).subscribe(taking);
    assertThat(taking.pieces).isEqualTo(2);
    assertThat(taking.ends).isZero();
  }

  /// Sends a request of that many bytes, and knows whether anybody keeps them.
  private static WeakReference<byte[]> sent(CouchClient client, String url, int length) {
    byte[] body = ("{\"docs\":[" + " ".repeat(length) + "]}").getBytes(StandardCharsets.US_ASCII);
    new HttpCalls(client).need("POST", url, body, "writing");
    return new WeakReference<>(body);
  }

  @Test
  void aConnectionDoesNotKeepWhatWasSent() {
    try (KeepingServer server = new KeepingServer()) {
      server.put("to");
      Endpoint endpoint = server.database("to", Map.of());
      CouchAddress address = CouchAddress.of(endpoint, _ -> null);
      CouchClient client = new CouchClient(address, endpoint);
      WeakReference<byte[]> first = sent(client, address.databaseUrl("_bulk_docs"), 1_000_000);
      sent(client, address.databaseUrl("_bulk_docs"), 10);
      System.gc();
      assertThat(first.get()).isNull();
      client.close();
    }
  }
}
