package millrace.connectors.generate;

import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.SetAsideSuite;
import millrace.testkit.suite.SourceSuite;

class GenerateSuiteTest extends MemoryFixture implements SetAsideSuite, SourceSuite {

  @Override
  public Connector connector() {
    return new GenerateConnector();
  }

  @Override
  public Endpoint filled() {
    return Made.endpoint("unload", Map.of("rows", "5000"));
  }

  @Override
  public Endpoint missing() {
    return Made.endpoint("no_such_shape", Map.of());
  }

  @Override
  public String missingName() {
    return "no_such_shape";
  }
}
