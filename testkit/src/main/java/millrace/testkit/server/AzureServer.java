package millrace.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A server with the API of Azure Blob Storage, Azurite, over a folder of its own on the loopback
/// interface. It ends with the process that started it. What it holds is lost if it is killed.
///
/// Any thread may call it.
public final class AzureServer implements AutoCloseable {

  /// The only account, and its key, which is long and odd enough to be found in any output.
  public static final String ACCOUNT = "millracetests";

  public static final String KEY = "c0VjUmVUL29mK3RoZS90ZXN0czAxMjM0NTY3ODlhYmNkZWZnaGlqaw==";

  private static final String RESOURCES = "millrace/testkit/server/azurite/";

  private final Path folder;
  private final int port;
  private final ServerProcess process;

  private AzureServer(Path folder, int port) throws IOException {
    this.folder = folder;
    this.port = port;
    process = run();
  }

  /// Starts one whose account is empty.
  public static AzureServer start() {
    try {
      return new AzureServer(Files.createTempDirectory("millrace-azure-"), ServerPorts.free());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerProcess run() throws IOException {
    Path program = ServerPrograms.ofNpm("azurite-3.37.0", RESOURCES);
    return ServerProcess.listening(
        folder,
        port,
        List.of(
            "env",
            "AZURITE_ACCOUNTS=" + ACCOUNT + ":" + KEY,
            "node",
            program.resolve("node_modules/azurite/dist/src/blob/main.js").toString(),
            "--blobHost",
            "127.0.0.1",
            "--blobPort",
            String.valueOf(port),
            "--location",
            folder.resolve("data").toString(),
            "--disableTelemetry",
            "--skipApiVersionCheck",
            "--silent"));
  }

  public int port() {
    return port;
  }

  /// The account's.
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port + "/" + ACCOUNT);
  }

  @Override
  public void close() {
    process.kill();
    ServerPrograms.delete(folder);
  }
}
