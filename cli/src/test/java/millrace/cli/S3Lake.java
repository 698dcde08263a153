package millrace.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import millrace.connectors.stores.s3.S3Stores;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoredObject;
import millrace.testkit.server.S3Server;

/// A bucket called `lake`, for commands.
final class S3Lake implements AutoCloseable {

  private static final String PROFILES = "aws.sharedCredentialsFile";

  private final S3Server server = S3Server.start("lake");
  final ObjectStore store;

  /// @param folder gets the keys
  S3Lake(Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("credentials"),
            """
            [tests]
            aws_access_key_id = %s
            aws_secret_access_key = %s
            """
                .formatted(S3Server.ACCESS_KEY, S3Server.SECRET_KEY));
    System.setProperty(PROFILES, file.toString());
    store = new S3Stores().open("s3", "lake", Map.of("aws-profile", "tests", "endpoint", url()));
  }

  private String url() {
    return server.endpoint().toString();
  }

  /// A file in it, as commands name it.
  String file(String key) {
    return file(key, "tests");
  }

  /// The same. By a region of its own each command finds the store as a process of its own does.
  String file(String key, String region) {
    return "s3://lake/%s?aws-profile=tests&region=%s&endpoint=%s".formatted(key, region, url());
  }

  String text(String key) throws IOException {
    StoredObject found = store.find(key);
    return found == null
        ? ""
        : new String(store.read(found, 0, found.size()).readAllBytes(), StandardCharsets.UTF_8);
  }

  /// Whole keys below a folder.
  List<String> keys(String folder) throws IOException {
    return store.list(folder).objects().stream().map(StoredObject::key).toList();
  }

  @Override
  public void close() {
    System.clearProperty(PROFILES);
    store.close();
    server.close();
  }
}
