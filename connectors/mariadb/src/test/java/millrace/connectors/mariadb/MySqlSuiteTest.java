package millrace.connectors.mariadb;

import java.util.EnumMap;
import java.util.Map;
import millrace.testkit.suite.Behaviour;

/// The same on a real MySQL.
class MySqlSuiteTest extends MariaDbSuiteTest {

  @Override
  protected String scheme() {
    return "mysql";
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new EnumMap<>(super.cannot());
    all.put(Behaviour.JSON_TEXT, "it spells documents anew");
    return all;
  }
}
