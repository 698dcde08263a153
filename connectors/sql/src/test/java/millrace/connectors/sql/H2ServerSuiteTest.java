package millrace.connectors.sql;

import millrace.spi.Connector;

/// The load by several sessions that commit in parts, which servers share.
class H2ServerSuiteTest extends H2SuiteTest {

  @Override
  protected Connector connector() {
    return H2Connector.SERVER;
  }
}
