package millrace.connectors.stores.s3;

import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/// A bucket, and the client that speaks to its store.
record S3Bucket(S3Client client, String name) {

  private static final String UNTAGGED = "written ";

  /// Asks the store for something.
  interface Request<T> {
    T send(S3Client client);
  }

  /// Sends a request, and tells of its failure as the contract of stores says.
  ///
  /// @param right what the user must be allowed to
  /// @param key of the object; empty if it is about the bucket
  <T> T ask(String right, String key, Request<T> request) throws IOException {
    try {
      return request.send(client);
    } catch (SdkException e) {
      throw S3Faults.of(this, right, key, e);
    }
  }

  /// An object as a user would name it.
  String location(String key) {
    return "s3://" + name + "/" + key;
  }

  /// What tells the content of an object. Some stores have no tag for what came into them by
  /// another way than theirs.
  static String identity(@Nullable String tag, Instant modified, long size) {
    return tag == null ? UNTAGGED + modified + " " + size : bare(tag);
  }

  /// An entity tag as everybody may write it, with or without quotes.
  static String bare(String tag) {
    return tag.replace("\"", "");
  }

  /// The tag as conditions have it; null if the object has none.
  static @Nullable String quoted(String identity) {
    return identity.startsWith(UNTAGGED) ? null : '"' + identity + '"';
  }
}
