package millrace.connectors.sql.h2;

import millrace.spi.Connector;

/// The same by several sessions.
class H2ServerSuiteTest extends H2SuiteTest {

  @Override
  protected Connector connector() {
    return H2Server.CONNECTOR;
  }

  @Override
  protected String location(String name) {
    return H2Server.served(name);
  }
}
