package millrace.connectors.sql.h2;

import millrace.spi.Connector;
import org.junit.jupiter.api.Tag;

/// The same on a server that can do less.
@Tag("long")
class H2CopyingServerResumeChoiceSuiteTest extends H2ServerResumeChoiceSuiteTest {

  @Override
  public Connector connector() {
    return H2CopyingServer.CONNECTOR;
  }
}
