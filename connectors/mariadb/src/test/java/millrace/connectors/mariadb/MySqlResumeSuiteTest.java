package millrace.connectors.mariadb;

/// The same with a real MySQL.
class MySqlResumeSuiteTest extends MariaDbResumeSuiteTest {

  @Override
  protected String scheme() {
    return "mysql";
  }
}
