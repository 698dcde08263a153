package millrace.connectors.stores.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;

/// A multipart upload.
///
/// @param id by which the store knows it
record S3Upload(S3Bucket bucket, String key, String id) implements Upload {

  static final String RIGHT = "s3:PutObject";

  private static final long PART_BYTES_MIN = 5 << 20;
  private static final int PARTS_MAX = 10_000;

  @Override
  public List<Part> parts() throws IOException {
    return bucket.ask(
        "s3:ListMultipartUploadParts",
        key,
        client ->
            client
                .listPartsPaginator(request -> request.bucket(bucket.name()).key(key).uploadId(id))
                .parts()
                .stream()
                .map(part -> new Part(part.partNumber(), part.size(), S3Bucket.bare(part.eTag())))
                .toList());
  }

  @Override
  public Part put(int number, byte[] bytes, int length) throws IOException {
    String tag =
        bucket
            .ask(
                RIGHT,
                key,
                client ->
                    client.uploadPart(
                        request ->
                            request.bucket(bucket.name()).key(key).uploadId(id).partNumber(number),
                        RequestBody.fromContentProvider(
                            () -> new ByteArrayInputStream(bytes, 0, length),
                            length,
                            "application/octet-stream")))
            .eTag();
    return new Part(number, length, S3Bucket.bare(tag));
  }

  @Override
  public long partBytesMin() {
    return PART_BYTES_MIN;
  }

  @Override
  public int partsMax() {
    return PARTS_MAX;
  }

  @Override
  public StoredObject complete(List<Part> parts, @Nullable String expected) throws IOException {
    // The store refuses an object of no parts.
    List<Part> all = parts.isEmpty() ? List.of(put(1, new byte[0], 0)) : parts;
    List<CompletedPart> named =
        all.stream()
            .map(part ->
                CompletedPart.builder()
                    .partNumber(part.number())
                    .eTag(S3Bucket.quoted(part.tag()))
                    .build())
            .toList();
    WriteCondition condition = new WriteCondition(bucket, key, expected);
    String tag =
        condition.write(
            WriteCondition.tag(all),
            client ->
                client
                    .completeMultipartUpload(request ->
                        request
                            .bucket(bucket.name())
                            .key(key)
                            .uploadId(id)
                            .ifNoneMatch(condition.ifNoneMatch())
                            .ifMatch(condition.ifMatch())
                            .multipartUpload(upload -> upload.parts(named)))
                    .eTag());
    long bytes = all.stream().mapToLong(Part::bytes).sum();
    return new StoredObject(key, bytes, Instant.now(), tag, true);
  }

  @Override
  public void abort() throws IOException {
    bucket.ask(
        "s3:AbortMultipartUpload",
        key,
        client -> {
          try {
            return client.abortMultipartUpload(
                request -> request.bucket(bucket.name()).key(key).uploadId(id));
          } catch (NoSuchUploadException _) {
            return this;
          }
        });
  }
}
