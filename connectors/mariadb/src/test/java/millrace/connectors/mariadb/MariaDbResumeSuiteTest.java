package millrace.connectors.mariadb;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumeSuite;

/// Copies into a real MariaDB that are cut off and go on.
class MariaDbResumeSuiteTest extends ResumeSuite {

  private final TestTables tables = new TestTables(scheme());

  /// Which of the servers it is.
  protected String scheme() {
    return "mariadb";
  }

  @Override
  protected Connector connector() {
    return new MariaDbConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return tables.endpoint("table", name);
  }

  private void drop(String table) {
    tables.run("DROP TABLE `" + table + "`");
  }

  @Override
  protected boolean lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> drop(name);
      case ROWS -> tables.run("DELETE FROM `" + name + "`");
      case JOURNAL -> drop("millrace_journal");
      case STAGED -> leftovers(name).forEach(this::drop);
      // Rows that are committed stay, and to count them would be to read them all.
      case STAGED_LAST -> {
        return false;
      }
    }
    return true;
  }

  @Override
  protected List<String> leftovers(String name) {
    return tables
        .bare(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = '"
                + tables.database
                + "'")
        .stream()
        .filter(each -> each.contains("_millrace_"))
        .toList();
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    return List.of(
        tables.endpoint("table", tables.database + "." + name),
        new Endpoint(
            scheme(),
            "//root@localhost:" + tables.server.port() + "/" + tables.database,
            Map.of("table", name),
            Secret.NONE));
  }

  @Override
  protected InetSocketAddress server() {
    return new InetSocketAddress("localhost", tables.server.port());
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(Behaviour.CASE_IN_NAMES, "names of columns are compared without it");
  }

  @Override
  protected boolean sharesCommits() {
    return true;
  }
}
