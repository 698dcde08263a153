package millrace.connectors.couchdb.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import millrace.io.Wire;
import org.jspecify.annotations.Nullable;

/// A response's body as a stream that gives up when nothing arrives for too long: the JDK's own
/// would wait for ever.
///
/// The client's threads fill it, some pieces ahead; one thread reads.
final class Body extends InputStream implements BodySubscriber<InputStream> {

  /// Lists of buffers that may wait, of some 16 kB each and more: what comes of the next page while
  /// the last of the one before is passed on.
  private static final int AHEAD = 64;

  /// What lies in the queue: bytes, or the end.
  private sealed interface Piece {
    record Bytes(ByteBuffer buffer, boolean lastOfList) implements Piece {}

    record End(@Nullable Throwable failure) implements Piece {}
  }

  private final Duration patience;
  private final Wire wire;
  private final Waits waits;
  private final String waitsFor;
  private final LinkedBlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private volatile Flow.@Nullable Subscription subscription;
  private Piece.@Nullable Bytes current;
  private boolean ended;

  /// @param patience how long to wait for the next byte
  /// @param wire counts what arrives
  /// @param server in words, for who asks what is waited for
  Body(Duration patience, Wire wire, Waits waits, String server) {
    this.patience = patience;
    this.wire = wire;
    this.waits = waits;
    waitsFor = server + " to go on with an answer, for at most " + patience.toSeconds() + " s";
  }

  @Override
  public CompletionStage<InputStream> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(AHEAD);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (int i = 0; i < buffers.size(); i++) {
      wire.answerReceived(buffers.get(i).remaining());
      pieces.add(new Piece.Bytes(buffers.get(i), i == buffers.size() - 1));
    }
  }

  @Override
  public void onError(Throwable failure) {
    pieces.add(new Piece.End(failure));
  }

  @Override
  public void onComplete() {
    pieces.add(new Piece.End(null));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (current == null || !current.buffer().hasRemaining()) {
      if (ended || !advance()) {
        return -1;
      }
    }
    int count = Math.min(length, current.buffer().remaining());
    current.buffer().get(into, offset, count);
    return count;
  }

  private boolean advance() throws IOException {
    Flow.Subscription open = subscription;
    if (current != null && current.lastOfList() && open != null) {
      open.request(1);
    }
    current = null;
    @Nullable Piece piece;
    try {
      piece = pieces.poll();
      if (piece == null) {
        piece = await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return switch (piece) {
      case null ->
          throw new HttpTimeoutException("nothing came for " + patience.toSeconds() + " s");
      case Piece.Bytes bytes -> {
        current = bytes;
        yield true;
      }
      case Piece.End(Throwable failure) -> {
        ended = true;
        if (failure != null) {
          throw new IOException(failure);
        }
        yield false;
      }
    };
  }

  private @Nullable Piece await() throws InterruptedException {
    try (Waits.One _ = waits.begin(waitsFor, System.nanoTime())) {
      return pieces.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /// Ends the response, also if it has not all been read. From any thread.
  @Override
  public void close() {
    Flow.Subscription open = subscription;
    if (open != null) {
      open.cancel();
    }
    pieces.add(new Piece.End(new IOException("closed")));
  }
}
