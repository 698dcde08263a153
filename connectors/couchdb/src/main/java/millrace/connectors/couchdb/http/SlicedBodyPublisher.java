package millrace.connectors.couchdb.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/// A request's body in pieces that are views of its array: the JDK's own publisher copies all of it
/// before the first byte is sent. Any threads; the array must not change while it is sent.
final class SlicedBodyPublisher implements BodyPublisher {

  /// About what a connection takes at a time.
  private static final int PIECE_BYTES = 64 << 10;

  private static final byte[] NOTHING = {};

  private final int length;
  private volatile byte[] body;

  /// @param length how many of the array's bytes
  SlicedBodyPublisher(byte[] body, int length) {
    this.body = body;
    this.length = length;
  }

  @Override
  public long contentLength() {
    return length;
  }

  /// The request has been answered: nobody subscribes any more. The JDK's client keeps the first
  /// request of each connection as long as that one, and this with it.
  void letGo() {
    body = NOTHING;
  }

  @Override
  public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
    subscriber.onSubscribe(new Sending(subscriber));
  }

  /// Hands on as many pieces as are asked for. The subscriber may ask for more while it takes one:
  /// the loop that is under way serves that too.
  private final class Sending implements Subscription {
    private final Subscriber<? super ByteBuffer> subscriber;
    private byte[] bytes = body;
    private long requested;
    private boolean serves;
    private int sent;

    Sending(Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long pieces) {
      if (!mayServe(pieces)) {
        return;
      }
      for (ByteBuffer piece = next(); piece != null; piece = next()) {
        boolean last = piece.limit() == length;
        subscriber.onNext(piece);
        if (last) {
          subscriber.onComplete();
        }
      }
    }

    private synchronized boolean mayServe(long pieces) {
      requested = Math.max(pieces, requested + pieces);
      boolean free = !serves;
      serves = true;
      return free;
    }

    private synchronized @Nullable ByteBuffer next() {
      if (requested == 0 || sent == length) {
        serves = false;
        return null;
      }
      requested--;
      int from = sent;
      sent = Math.min(length, from + PIECE_BYTES);
      ByteBuffer piece = ByteBuffer.wrap(bytes, from, sent - from);
      if (sent == length) {
        bytes = NOTHING;
      }
      return piece;
    }

    @Override
    public synchronized void cancel() {
      sent = length;
      bytes = NOTHING;
    }
  }
}
