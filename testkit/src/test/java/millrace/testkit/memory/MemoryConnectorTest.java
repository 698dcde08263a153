package millrace.testkit.memory;

import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.Behaviour;
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

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(Behaviour.OTHER_PROCESS, "its tables are on the heap of this one");
  }
}
