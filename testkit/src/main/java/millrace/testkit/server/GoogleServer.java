package millrace.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import millrace.testkit.NotOffered;

/// A server with the API of Google Cloud Storage, fake-gcs-server, on the loopback interface. It
/// asks nobody who they are, and ends with the process that started it. What it holds is lost if it
/// is killed.
///
/// Any thread may call it.
public final class GoogleServer implements AutoCloseable {

  private static final String LIST = "millrace/testkit/server/fake-gcs/requirements.txt";

  private final Path folder;
  private final int port;
  private final ServerProcess process;

  private GoogleServer(Path folder, int port) throws IOException {
    this.folder = folder;
    this.port = port;
    process =
        ServerProcess.listening(
            folder,
            port,
            List.of(
                program().toString(),
                "-scheme=http",
                "-host=127.0.0.1",
                "-port=" + port,
                "-public-host=127.0.0.1:" + port,
                "-backend=memory",
                "-log-level=error",
                "-data=" + folder.resolve("data")));
  }

  /// Starts one with those buckets, which are empty.
  public static GoogleServer start(String... buckets) {
    try {
      Path folder = Files.createTempDirectory("millrace-google-");
      for (String bucket : buckets) {
        Files.createDirectories(folder.resolve("data").resolve(bucket));
      }
      return new GoogleServer(folder, ServerPorts.free());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path program() throws IOException {
    try (Stream<Path> files = Files.walk(installed())) {
      Path program =
          files
              .filter(file -> file.getFileName().toString().startsWith("fake-gcs-server-linux-"))
              .findFirst()
              .orElseThrow();
      if (!program.toFile().setExecutable(true, false)) {
        throw new IOException(program + " can't be made executable");
      }
      return program;
    }
  }

  private static Path installed() {
    try {
      return ServerPrograms.ofPip("fake-gcs-server-1.54.0", LIST);
    } catch (UncheckedIOException e) {
      NotOffered none =
          new NotOffered(
              "google", "fake-gcs-server, since no python3 with venv can install it here");
      none.initCause(e);
      throw none;
    }
  }

  public int port() {
    return port;
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  @Override
  public void close() {
    process.kill();
    ServerPrograms.delete(folder);
  }
}
