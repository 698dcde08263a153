package millrace.connectors.postgres;

import millrace.testkit.PostgresServer;

/// ... and through the server's socket in the file system.
class PostgresSocketSuiteTest extends PostgresSuite {

  PostgresSocketSuiteTest() {
    super(PostgresServer.embedded(), "%2Ftmp");
  }
}
