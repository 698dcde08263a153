package millrace.connectors.stores.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// The bytes of a range of an object. If the connection breaks, it asks for the rest.
///
/// One thread at a time.
final class S3Reading extends InputStream {

  static final String RIGHT = "s3:GetObject";

  /// How often in turn a connection may break before a byte has come.
  private static final int BREAKS_MAX = 8;

  private static final long FIRST_WAIT_MILLIS = 50;

  private final S3Bucket bucket;
  private final StoredObject object;
  private final long to;
  private long at;
  private int breaks;
  private ResponseInputStream<GetObjectResponse> body;

  /// Asks for the range.
  S3Reading(S3Bucket bucket, StoredObject object, long from, long to) throws IOException {
    this.bucket = bucket;
    this.object = object;
    this.to = to;
    at = from;
    body = rest();
  }

  private ResponseInputStream<GetObjectResponse> rest() throws IOException {
    ResponseInputStream<GetObjectResponse> next =
        bucket.ask(
            RIGHT,
            object.key(),
            client ->
                client.getObject(request ->
                    request
                        .bucket(bucket.name())
                        .key(object.key())
                        .range("bytes=%d-%d".formatted(at, to - 1))
                        .ifMatch(S3Bucket.quoted(object.identity()))));
    GetObjectResponse response = next.response();
    if (S3Bucket.quoted(object.identity()) == null
        && !response.lastModified().equals(object.modified())) {
      next.abort();
      throw failure(S3Faults.CHANGED);
    }
    long bytes = response.contentLength();
    if (bytes != to - at) {
      next.abort();
      throw failure("the store answered %d bytes in the place of %d".formatted(bytes, to - at));
    }
    return next;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (at < to) {
      int count = readOrBreak(into, offset, (int) Math.min(length, to - at));
      if (count > 0) {
        at += count;
        breaks = 0;
        return count;
      }
    }
    return -1;
  }

  /// @return 0 if the connection broke and another has taken its place
  private int readOrBreak(byte[] into, int offset, int length) throws IOException {
    String reason = "it ended too early";
    try {
      int count = body.read(into, offset, length);
      if (count >= 0) {
        return count;
      }
    } catch (InterruptedIOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      // It stood still for too long.
      reason = S3Faults.plain(e.getMessage());
    } catch (IOException e) {
      reason = S3Faults.plain(e.getMessage());
    }
    body.abort();
    if (++breaks > BREAKS_MAX) {
      throw new StoreException(
          bucket.location(object.key()),
          "the connection broke %d times in turn at byte %d: %s".formatted(breaks, at, reason),
          true);
    }
    pause();
    body = rest();
    return 0;
  }

  private void pause() throws IOException {
    long most = FIRST_WAIT_MILLIS << breaks;
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(most / 2, most));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + object.key() + " was read");
    }
  }

  @Override
  public int available() throws IOException {
    return at < to ? body.available() : 0;
  }

  /// Does not wait for what was not read.
  @Override
  public void close() throws IOException {
    if (at < to) {
      body.abort();
    } else {
      body.close();
    }
  }

  private StoreException failure(String reason) {
    return new StoreException(bucket.location(object.key()), reason, false);
  }
}
