package millrace.connectors.file;

import java.nio.file.Path;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ConnectorSuite;
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
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.MERGE, "a file has no keys to find rows by",
        Behaviour.KEYS, "a file keeps no keys",
        Behaviour.EXISTING_COLUMNS, "every record has all of a file's columns");
  }
}
