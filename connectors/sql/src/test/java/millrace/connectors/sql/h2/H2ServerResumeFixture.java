package millrace.connectors.sql.h2;

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
import millrace.connectors.sql.LockTable;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.Deaths;
import millrace.testkit.suite.JdbcDeaths;
import millrace.testkit.suite.JournaledSuite;
import millrace.testkit.suite.MemoryFixture;
import org.junit.jupiter.api.AfterEach;

/// Copies by several sessions that are cut off and go on.
abstract class H2ServerResumeFixture extends MemoryFixture implements JournaledSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  final String database = H2Server.served("resume" + COUNT.incrementAndGet());

  @Override
  public Connector connector() {
    return H2Server.CONNECTOR;
  }

  @Override
  public Endpoint table(String name) {
    return new Endpoint(
        connector().schemes().getFirst(), database, Map.of("table", name), Secret.NONE);
  }

  @Override
  public Deaths deaths() {
    return JdbcDeaths.of(database.substring(database.indexOf('/') + 1));
  }

  void run(String sql) {
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  List<String> tables() {
    List<String> names = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", null, null)) {
      while (tables.next()) {
        String name = tables.getString("TABLE_NAME");
        if (!name.equals(LockTable.NAME)) {
          names.add(name);
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return names;
  }

  @Override
  public void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> run("DROP TABLE \"" + name + '"');
      case ROWS -> run("DELETE FROM \"" + name + '"');
      case JOURNAL -> run("DROP TABLE \"millrace_journal\"");
      case STAGED -> leftovers(name).forEach(each -> run("DROP TABLE \"" + each + '"'));
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  @Override
  public List<String> leftovers(String name) {
    return tables().stream().filter(each -> each.contains("_millrace_")).toList();
  }

  @Override
  public List<Endpoint> spellings(String name) {
    return List.of(table(name.toUpperCase(Locale.ROOT)), table("\"" + name + "\""));
  }

  @AfterEach
  void drop() {
    run("SHUTDOWN");
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "names are compared without it here",
        Behaviour.SIGN_OF_ZERO, "H2 does not keep it",
        Behaviour.NAME_PATTERNS, "its tables are not listed here",
        Behaviour.TABLE_IDENTITY, "H2 gives tables no identity that stays",
        Behaviour.SERVER, "it is tried with others",
        Behaviour.OTHER_PROCESS, "the tests start it in their own",
        Behaviour.LOSS_OF_LAST_STAGED,
            "rows that are committed stay, and to count them would be to read them all");
  }
}
