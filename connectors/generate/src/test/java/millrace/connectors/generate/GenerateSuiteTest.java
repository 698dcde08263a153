package millrace.connectors.generate;

import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.SourceSuite;

class GenerateSuiteTest extends SourceSuite {

  @Override
  protected Connector connector() {
    return new GenerateConnector();
  }

  @Override
  protected Endpoint filled() {
    return Made.endpoint("unload", Map.of("rows", "5000"));
  }

  @Override
  protected Endpoint missing() {
    return Made.endpoint("no_such_shape", Map.of());
  }

  @Override
  protected String missingName() {
    return "no_such_shape";
  }
}
