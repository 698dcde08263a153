package millrace.connectors.mariadb;

/// The same on a real MySQL.
class MySqlSuiteTest extends MariaDbSuiteTest {

  @Override
  protected String scheme() {
    return "mysql";
  }
}
