package millrace.connectors.sql.h2;

import millrace.spi.Connector;

/// The same on a server that can't rename a table, so that a swap is several statements.
class H2CopyingServerResumeSuiteTest extends H2ServerResumeSuiteTest {

  @Override
  protected Connector connector() {
    return H2Connector.COPYING_SERVER;
  }
}
