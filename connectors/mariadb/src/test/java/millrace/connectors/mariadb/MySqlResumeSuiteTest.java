package millrace.connectors.mariadb;

import org.junit.jupiter.api.Tag;

/// The same with a real MySQL.
@Tag("long")
class MySqlResumeSuiteTest extends MariaDbResumeSuiteTest {

  @Override
  public String scheme() {
    return "mysql";
  }
}
