package millrace.connectors.kudu;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.OnlineStoreSuite;

/// Tables of a real cluster that are written while windows of them are aggregated.
class KuduOnlineSuiteTest extends OnlineStoreSuite {

  private static final AtomicInteger TESTS = new AtomicInteger();

  private final int test = TESTS.incrementAndGet();

  @Override
  public Connector connector() {
    return new KuduConnector();
  }

  @Override
  public Endpoint table(String name) {
    return KuduServers.shared().table("online" + test + "." + name, Map.of());
  }
}
