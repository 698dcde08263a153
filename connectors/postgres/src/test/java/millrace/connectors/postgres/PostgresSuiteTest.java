package millrace.connectors.postgres;

import millrace.testkit.PostgresServer;

/// What every connector promises, kept by this one through the network.
class PostgresSuiteTest extends PostgresSuite {

  PostgresSuiteTest() {
    super(PostgresServer.shared(), PostgresServer.shared().host());
  }
}
