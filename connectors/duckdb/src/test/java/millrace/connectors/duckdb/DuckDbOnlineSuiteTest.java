package millrace.connectors.duckdb;

import java.nio.file.Path;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.OnlineStoreSuite;
import org.junit.jupiter.api.io.TempDir;

class DuckDbOnlineSuiteTest extends OnlineStoreSuite {

  @TempDir Path folder;

  @Override
  protected Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return Duck.in(folder).table(name);
  }

  @Override
  protected boolean hasPartitions() {
    return false;
  }

  /// The file is locked by the process that writes it.
  @Override
  protected boolean isShared() {
    return false;
  }

  /// What arrives has no primary key; a write that failed was rolled back.
  @Override
  protected boolean ignoresRepeats() {
    return false;
  }
}
