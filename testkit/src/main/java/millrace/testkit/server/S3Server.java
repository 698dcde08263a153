package millrace.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/// A real store that speaks as S3 does, S3Proxy, over a folder of its own on the loopback
/// interface. It ends with the process that started it.
///
/// Any thread may call it.
public final class S3Server implements AutoCloseable {

  /// What its only user signs with. The secret is long and odd enough to be found in any output.
  public static final String ACCESS_KEY = "AKMILLRACETESTS";

  public static final String SECRET_KEY = "sEcReT/of+the/tests0123456789abcdefghijk";

  private static final String PROGRAM = "s3proxy-4.1.0-jar-with-dependencies.jar";

  private final Path folder;
  private final int port;
  private ServerProcess process;

  private S3Server(Path folder, int port) throws IOException {
    this.folder = folder;
    this.port = port;
    process = run();
  }

  /// Starts one with those buckets, which are empty.
  public static S3Server start(String... buckets) {
    try {
      Path folder = Files.createTempDirectory("millrace-s3-");
      for (String bucket : buckets) {
        Path created = Files.createDirectories(folder.resolve("data").resolve(bucket));
        // What others may read on the disk, anybody may list without signing.
        Files.setPosixFilePermissions(created, PosixFilePermissions.fromString("rwx------"));
      }
      return new S3Server(folder, ServerPorts.free());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerProcess run() throws IOException {
    Path settings = folder.resolve("settings");
    Files.writeString(
        settings,
        """
        s3proxy.endpoint=http://127.0.0.1:%d
        s3proxy.authorization=aws-v2-or-v4
        s3proxy.identity=%s
        s3proxy.credential=%s
        jclouds.provider=filesystem-nio2
        jclouds.filesystem.basedir=%s
        """
            .formatted(port, ACCESS_KEY, SECRET_KEY, folder.resolve("data")));
    return ServerProcess.listening(
        folder,
        port,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            ServerPrograms.ofFile("s3proxy-4.1.0", PROGRAM).toString(),
            "org.gaul.s3proxy.Main",
            "--properties",
            settings.toString()));
  }

  public int port() {
    return port;
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /// What the AWS SDK, and so we, read from the environment to reach it.
  public Map<String, String> environment() {
    return Map.of(
        "AWS_ENDPOINT_URL_S3",
        endpoint().toString(),
        "AWS_REGION",
        "us-east-1",
        "AWS_ACCESS_KEY_ID",
        ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY",
        SECRET_KEY);
  }

  /// Kills it as kill -9 does, and starts another one on the same port and the same objects.
  public void restart() {
    process.kill();
    try {
      process = run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.kill();
    ServerPrograms.delete(folder);
  }
}
