package millrace.connectors.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.Behaviour;
import millrace.testkit.ConnectorSuite;
import org.junit.jupiter.api.io.TempDir;

class FileSuiteTest extends ConnectorSuite {

  @TempDir Path folder;

  @Override
  protected Connector connector() {
    return new FileConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return new Endpoint("file", folder.resolve(name + ".csv").toString(), Map.of(), Secret.NONE);
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    Path file = folder.resolve(name + ".csv");
    Path link = folder.resolve("link.csv");
    Path fromHere = Path.of("").toAbsolutePath().relativize(file);
    Path around = folder.resolve("../" + folder.getFileName() + "/./" + name + ".csv");
    try {
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Stream.of(fromHere, around, link)
        .map(path -> new Endpoint("file", path.toString(), Map.of(), Secret.NONE))
        .toList();
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.MERGE, "a file has no keys to find rows by",
        Behaviour.KEYS, "a file keeps no keys",
        Behaviour.EXISTING_COLUMNS, "every record has all of a file's columns");
  }
}
