package millrace.connectors.stores.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// The bytes of a range of an object, as one answer of the store. If its connection breaks, whoever
/// reads it asks for the rest.
///
/// One thread at a time.
final class S3Reading extends FilterInputStream {

  static final String RIGHT = "s3:GetObject";

  private final ResponseInputStream<GetObjectResponse> body;

  /// How many bytes are still to come.
  private long left;

  private S3Reading(ResponseInputStream<GetObjectResponse> body, long bytes) {
    super(body);
    this.body = body;
    left = bytes;
  }

  /// Asks for the range.
  static S3Reading of(S3Bucket bucket, StoredObject object, long from, long to) throws IOException {
    ResponseInputStream<GetObjectResponse> body =
        bucket.ask(
            RIGHT,
            object.key(),
            client ->
                client.getObject(request ->
                    request
                        .bucket(bucket.name())
                        .key(object.key())
                        .range("bytes=%d-%d".formatted(from, to - 1))
                        .ifMatch(S3Bucket.quoted(object.identity()))));
    String wrong = wrong(object, body.response(), from, to);
    if (!wrong.isEmpty()) {
      body.abort();
      throw new StoreException(bucket.location(object.key()), wrong, false);
    }
    return new S3Reading(body, to - from);
  }

  private static String wrong(StoredObject object, GetObjectResponse response, long from, long to) {
    if (S3Bucket.quoted(object.identity()) == null
        && !response.lastModified().equals(object.modified())) {
      return S3Faults.CHANGED;
    }
    long bytes = to - from;
    if (response.contentLength() < bytes) {
      return "it ends at byte " + (from + response.contentLength());
    }
    return response.contentLength() == bytes
        ? ""
        : "the store answered %d bytes in the place of %d"
            .formatted(response.contentLength(), bytes);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = super.read(into, offset, length);
    left -= Math.max(0, count);
    return count;
  }

  /// Does not wait for what was not read.
  @Override
  public void close() throws IOException {
    if (left > 0) {
      body.abort();
    } else {
      body.close();
    }
  }
}
