package millrace.connectors.sql.h2;

import millrace.spi.Connector;

/// The same on a server that can do less.
class H2CopyingServerResumeSuiteTest extends H2ServerResumeSuiteTest {

  @Override
  public Connector connector() {
    return H2CopyingServer.CONNECTOR;
  }
}
