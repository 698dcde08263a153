package millrace.testkit.memory;

import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.Behaviour;
import millrace.testkit.ConnectorSuite;

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
    return Map.of(Behaviour.RESUME, "tables in the heap are gone with the process");
  }
}
