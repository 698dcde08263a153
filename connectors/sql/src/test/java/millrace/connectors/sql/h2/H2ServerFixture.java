package millrace.connectors.sql.h2;

import java.util.Map;
import millrace.spi.Connector;
import millrace.testkit.suite.Suite;

/// The same by several sessions.
abstract class H2ServerFixture extends H2Fixture {

  @Override
  public Map<Class<? extends Suite>, String> leavesOut() {
    return Map.of();
  }

  @Override
  public Connector connector() {
    return H2Server.CONNECTOR;
  }

  @Override
  public String location(String name) {
    return H2Server.served(name);
  }
}
