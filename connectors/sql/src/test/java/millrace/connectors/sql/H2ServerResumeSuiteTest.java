package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.AfterEach;

/// Copies by several sessions that are cut off and go on.
class H2ServerResumeSuiteTest extends ResumeSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String database = "resume" + COUNT.incrementAndGet();

  @Override
  protected Connector connector() {
    return H2Connector.SERVER;
  }

  @Override
  protected Endpoint table(String name) {
    return new Endpoint("h2server", database, Map.of("table", name), Secret.NONE);
  }

  private void run(String sql) {
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  private List<String> tables() {
    List<String> names = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", null, null)) {
      while (tables.next()) {
        names.add(tables.getString("TABLE_NAME"));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return names;
  }

  @Override
  protected boolean lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> run("DROP TABLE \"" + name + '"');
      case ROWS -> run("DELETE FROM \"" + name + '"');
      case JOURNAL -> run("DROP TABLE \"millrace_journal\"");
      case STAGED -> leftovers(name).forEach(each -> run("DROP TABLE \"" + each + '"'));
      // Rows that are committed stay, and to count them would be to read them all.
      case STAGED_LAST -> {
        return false;
      }
    }
    return true;
  }

  @Override
  protected List<String> leftovers(String name) {
    return tables().stream().filter(each -> each.contains("_millrace_")).toList();
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    return List.of(table(name.toUpperCase(Locale.ROOT)), table("\"" + name + "\""));
  }

  @AfterEach
  void drop() {
    run("SHUTDOWN");
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "names are compared without it here",
        Behaviour.SIGN_OF_ZERO, "H2 does not keep it",
        Behaviour.OTHER_PROCESS, "it is in memory");
  }
}
