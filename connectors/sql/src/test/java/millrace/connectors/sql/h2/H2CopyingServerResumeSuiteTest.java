package millrace.connectors.sql.h2;

import java.util.EnumMap;
import java.util.Map;
import millrace.spi.Connector;
import millrace.testkit.suite.Behaviour;

/// The same on a server that can't rename a table, so that a swap is several statements.
class H2CopyingServerResumeSuiteTest extends H2ServerResumeSuiteTest {

  @Override
  protected Connector connector() {
    return H2Connector.COPYING_SERVER;
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new EnumMap<>(super.cannot());
    all.put(Behaviour.KEYLESS, "its swap gives each table a key");
    return all;
  }
}
