package millrace.connectors.stores.s3;

import java.io.IOException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/// A bucket, and the client that speaks to its store.
record S3Bucket(S3Client client, String name) {

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

  /// An entity tag as everybody may write it, with or without quotes.
  static String bare(String tag) {
    return tag.replace("\"", "");
  }

  /// A tag as conditions have it.
  static String quoted(String identity) {
    return '"' + identity + '"';
  }
}
