package millrace.connectors.stores.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/// A bucket as a store.
///
/// The SDK tries each request again that fails in a way that may pass, but not for the bytes of an
/// answer: those are asked for again by whoever reads.
final class S3Store implements ObjectStore {

  private final S3Bucket bucket;
  private final AwsCredentialsProvider credentials;
  private volatile boolean isThere;

  /// @param credentials what the bucket's client takes them from; closed with the store
  S3Store(S3Bucket bucket, AwsCredentialsProvider credentials) {
    this.bucket = bucket;
    this.credentials = credentials;
  }

  @Override
  public Listing list(String folder) throws IOException {
    return bucket.ask(
        "s3:ListBucket",
        folder,
        client -> {
          List<StoredObject> objects = new ArrayList<>();
          List<String> folders = new ArrayList<>();
          for (ListObjectsV2Response page :
              client.listObjectsV2Paginator(
                  request -> request.bucket(bucket.name()).prefix(folder).delimiter("/"))) {
            page.contents().stream()
                // Some programs keep an object of a folder's own name, so that it can be seen.
                .filter(object -> !object.key().endsWith("/"))
                .map(object ->
                    new StoredObject(
                        object.key(),
                        object.size(),
                        object.lastModified(),
                        S3Bucket.identity(object.eTag(), object.lastModified(), object.size()),
                        true))
                .forEach(objects::add);
            page.commonPrefixes().forEach(each -> folders.add(each.prefix()));
          }
          return new Listing(objects, folders);
        });
  }

  @Override
  public @Nullable StoredObject find(String key) throws IOException {
    try {
      HeadObjectResponse found =
          bucket.ask(
              "s3:GetObject, or s3:ListBucket if there is no such object",
              key,
              client -> client.headObject(request -> request.bucket(bucket.name()).key(key)));
      return new StoredObject(
          key,
          found.contentLength(),
          found.lastModified(),
          S3Bucket.identity(found.eTag(), found.lastModified(), found.contentLength()),
          true);
    } catch (NoSuchFileException _) {
      requireBucket();
      return null;
    }
  }

  /// The answer about an object that is not there does not tell if its bucket is.
  private void requireBucket() throws IOException {
    if (isThere) {
      return;
    }
    try {
      // Lists it, for that answer has a body with a reason.
      bucket.ask(
          "s3:ListBucket",
          "",
          client -> client.listObjectsV2(request -> request.bucket(bucket.name()).maxKeys(1)));
      isThere = true;
    } catch (AccessDeniedException _) {
      // Told only of a bucket that is there.
      isThere = true;
    }
  }

  @Override
  public InputStream read(StoredObject object, long from, long to) throws IOException {
    if (object.size() < to) {
      throw new StoreException(
          bucket.location(object.key()), "it ends at byte " + object.size(), false);
    }
    if (from < to) {
      return S3Reading.of(bucket, object, from, to);
    }
    bucket.ask(
        S3Reading.RIGHT,
        object.key(),
        client ->
            client.headObject(request ->
                request
                    .bucket(bucket.name())
                    .key(object.key())
                    .ifMatch(S3Bucket.quoted(object.identity()))));
    return InputStream.nullInputStream();
  }

  @Override
  public Upload upload(String key) throws IOException {
    String id =
        bucket
            .ask(
                S3Upload.RIGHT,
                key,
                client ->
                    client.createMultipartUpload(request -> request.bucket(bucket.name()).key(key)))
            .uploadId();
    return new S3Upload(bucket, key, id);
  }

  @Override
  public List<Upload> uploads(String prefix) throws IOException {
    return bucket.ask(
        "s3:ListBucketMultipartUploads",
        prefix,
        client ->
            client
                .listMultipartUploadsPaginator(
                    request -> request.bucket(bucket.name()).prefix(prefix))
                .uploads()
                .stream()
                .<Upload>map(each -> new S3Upload(bucket, each.key(), each.uploadId()))
                .toList());
  }

  @Override
  public StoredObject put(String key, byte[] bytes, @Nullable String expected) throws IOException {
    WriteCondition condition = new WriteCondition(bucket, key, expected);
    String tag =
        condition.write(
            WriteCondition.tag(bytes),
            client -> {
              PutObjectResponse done =
                  client.putObject(
                      request ->
                          request
                              .bucket(bucket.name())
                              .key(key)
                              .ifNoneMatch(condition.ifNoneMatch())
                              .ifMatch(condition.ifMatch()),
                      RequestBody.fromContentProvider(
                          () -> new ByteArrayInputStream(bytes),
                          bytes.length,
                          "application/octet-stream"));
              return done.eTag();
            });
    return new StoredObject(key, bytes.length, Instant.now(), tag, true);
  }

  @Override
  public void delete(String key) throws IOException {
    bucket.ask(
        "s3:DeleteObject",
        key,
        client -> client.deleteObject(request -> request.bucket(bucket.name()).key(key)));
  }

  @Override
  public void close() {
    bucket.client().close();
    if (credentials instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }
}
