package millrace.testkit.memory;

import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.ConnectorSuite;

class MemoryConnectorTest extends ConnectorSuite {

  private final MemoryConnector tried = new MemoryConnector();

  @Override
  protected Connector connector() {
    return tried;
  }

  @Override
  protected Endpoint table(String name) {
    return tried.endpoint(name);
  }
}
