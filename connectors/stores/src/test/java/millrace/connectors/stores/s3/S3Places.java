package millrace.connectors.stores.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import millrace.connectors.stores.StorePlaces;
import millrace.spi.store.ObjectStore;
import millrace.testkit.server.S3Server;
import millrace.testkit.server.ServerPrograms;

/// A store for tests, and profiles of those who may use it and of those who may not.
final class S3Places implements StorePlaces {

  static final String BUCKET = "lake";

  private static final String PROFILES = "aws.sharedCredentialsFile";

  final S3Server server = S3Server.start(BUCKET);
  private final Path folder;

  S3Places() {
    try {
      folder = Files.createTempDirectory("millrace-aws-");
      Path file = folder.resolve("credentials");
      Files.writeString(
          file,
          """
          [tests]
          aws_access_key_id = %1$s
          aws_secret_access_key = %2$s
          [stranger]
          aws_access_key_id = AKNOBODY
          aws_secret_access_key = %2$s
          [liar]
          aws_access_key_id = %1$s
          aws_secret_access_key = %2$sx
          [empty]
          """
              .formatted(S3Server.ACCESS_KEY, S3Server.SECRET_KEY));
      System.setProperty(PROFILES, file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ObjectStore open() {
    return open(BUCKET, Map.of());
  }

  @Override
  public String root() {
    return "s3://" + BUCKET + "/";
  }

  @Override
  public String settings() {
    return "aws-profile=tests&" + StorePlaces.endpoint(server.endpoint());
  }

  /// @param settings beside those that make it work, or in their place
  ObjectStore open(String bucket, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("endpoint", server.endpoint().toString());
    all.put("aws-profile", "tests");
    all.putAll(settings);
    return new S3Stores().open("s3", bucket, all);
  }

  @Override
  public void close() {
    System.clearProperty(PROFILES);
    ServerPrograms.delete(folder);
    server.close();
  }
}
