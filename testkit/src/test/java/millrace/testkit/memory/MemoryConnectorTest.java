package millrace.testkit.memory;

import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ConnectorSuite;
import org.jspecify.annotations.Nullable;

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

  /// A map of this process: its reader does nothing to the rows.
  @Override
  protected @Nullable List<List<@Nullable Object>> independently(
      String name, List<String> columns) {
    return null;
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.OTHER_PROCESS, "its tables are on the heap of this one",
        Behaviour.SQL, "memory takes none",
        Behaviour.WRITE_LOCKS, "nobody can lock a table",
        Behaviour.READ_LOCKS, "nobody can lock a table",
        Behaviour.ROWS_LEFT_OUT, "no table does so");
  }
}
