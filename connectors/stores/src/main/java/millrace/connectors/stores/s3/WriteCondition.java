package millrace.connectors.stores.s3;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/// What must be at a key, so that an object takes its place.
///
/// @param expected as {@link millrace.spi.store.ObjectStore#put} has it
record WriteCondition(S3Bucket bucket, String key, @Nullable String expected) {

  @Nullable String ifNoneMatch() {
    return expected != null && expected.isEmpty() ? "*" : null;
  }

  @Nullable String ifMatch() {
    return expected == null || expected.isEmpty() ? null : S3Bucket.quoted(expected);
  }

  /// Writes an object.
  ///
  /// @param tag that it will have, as far as we can know: if the answer to the first try was lost,
  ///   a later one finds what the first one wrote
  /// @param request gives the tag that the store told
  /// @return that tag
  String write(String tag, S3Bucket.Request<String> request) throws IOException {
    try {
      return S3Bucket.bare(request.send(bucket.client()));
    } catch (SdkException e) {
      String code = S3Faults.code(e);
      @Nullable Integer tries = e.numAttempts();
      boolean isRefused = S3Faults.isUnexpected(e) && expected != null;
      boolean mayBeDone = isRefused || code.equals("NoSuchUpload");
      if (mayBeDone && tries != null && tries > 1 && has(tag)) {
        return tag;
      }
      if (isRefused) {
        throw new FileAlreadyExistsException(
            bucket.location(key),
            null,
            ifMatch() == null ? "it is there already" : S3Faults.CHANGED);
      }
      throw S3Faults.of(bucket, S3Upload.RIGHT, key, e);
    }
  }

  private boolean has(String tag) throws IOException {
    return bucket
        .ask(
            S3Reading.RIGHT,
            key,
            client -> client.headObject(request -> request.bucket(bucket.name()).key(key)).eTag())
        .equals(S3Bucket.quoted(tag));
  }

  /// The tag that S3 gives to an object which it does not encrypt with a key of the user's.
  static String tag(byte[] bytes) {
    return HexFormat.of().formatHex(md5().digest(bytes));
  }

  /// The same of one that came in parts; empty if their own tags are of another kind.
  static String tag(List<Upload.Part> parts) {
    MessageDigest md5 = md5();
    for (Upload.Part part : parts) {
      if (!part.tag().matches("[0-9a-f]{32}")) {
        return "";
      }
      md5.update(HexFormat.of().parseHex(part.tag()));
    }
    return HexFormat.of().formatHex(md5.digest()) + "-" + parts.size();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
