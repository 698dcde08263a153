package millrace.connectors.mariadb;

/// The same with a real MySQL.
abstract class MySqlResumeFixture extends MariaDbResumeFixture {

  @Override
  public String scheme() {
    return "mysql";
  }
}
