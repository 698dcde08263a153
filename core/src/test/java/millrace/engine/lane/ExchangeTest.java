package millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.engine.lane.Exchange.Parcel;
import millrace.fault.Location;
import org.junit.jupiter.api.Test;

/// How much waits between the halves of a lane.
class ExchangeTest {

  private static final Location START = new Location("rows", 0, 0, 0, -1);

  private static Parcel rows(long sourceBytes) {
    return new Parcel.Rows(
        new Frames(
            new byte[0], 0, 0, 1, Form.COLUMNS, new Frames.SourceSpan(START, sourceBytes), null));
  }

  @Test
  void asManyParcelsWaitAsItIsToldUnlessTheyAreLarge() {
    Exchange exchange = new Exchange(4);
    for (int i = 0; i < 4; i++) {
      exchange.put(rows(1 << 20));
    }
    assertWaits(exchange, rows(1));
  }

  @Test
  void ofLargeParcelsOneWaits() {
    Exchange exchange = new Exchange(4);
    exchange.put(rows(7 << 20));
    assertWaits(exchange, rows(7 << 20));
    assertWaits(exchange, rows(1));
  }

  /// The parcel waits until one has been taken, and no longer.
  private static void assertWaits(Exchange exchange, Parcel parcel) {
    CompletableFuture<Void> put = CompletableFuture.runAsync(() -> exchange.put(parcel));
    assertThat(put).failsWithin(Duration.ofMillis(300)).withThrowableOfType(TimeoutException.class);
    exchange.take();
    assertThat(put).succeedsWithin(Duration.ofSeconds(10));
  }
}
