package millrace.connectors.mariadb;

import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.suite.Behaviour;

/// The same on a real MySQL.
abstract class MySqlFixture extends MariaDbFixture {

  /// A condition on a column, which stands first in it.
  private static final Pattern CHECK = Pattern.compile("CHECK \\((.*?)\\)");

  @Override
  public String scheme() {
    return "mysql";
  }

  /// Up to 8.0.15 the server reads a check, and heeds it not: triggers do that on such servers.
  @Override
  public void sql(String name, String statement) {
    super.sql(name, statement);
    Matcher check = CHECK.matcher(statement);
    if (check.find()) {
      super.sql(
          name,
          "CREATE TRIGGER %1$s_check BEFORE INSERT ON %1$s FOR EACH ROW IF NOT (NEW."
              + check.group(1)
              + ") THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'check failed'; END IF");
    }
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new EnumMap<>(super.cannot());
    all.put(
        Behaviour.FILLING_TRIGGERS,
        "a column that is left out is 0 or empty, if no trigger fills it");
    all.put(Behaviour.JSON_TEXT, "it spells documents anew");
    return all;
  }
}
