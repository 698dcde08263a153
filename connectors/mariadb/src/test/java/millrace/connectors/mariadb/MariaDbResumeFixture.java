package millrace.connectors.mariadb;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.JournaledSuite;
import millrace.testkit.suite.MemoryFixture;

/// Copies into a real MariaDB that are cut off and go on.
abstract class MariaDbResumeFixture extends MemoryFixture implements JournaledSuite {

  private final TestTables tables = new TestTables(scheme());

  /// Which of the servers it is.
  protected String scheme() {
    return "mariadb";
  }

  @Override
  public Connector connector() {
    return new MariaDbConnector();
  }

  @Override
  public Endpoint table(String name) {
    return tables.endpoint("table", name);
  }

  @Override
  public InetSocketAddress server() {
    return InetSocketAddress.createUnresolved("127.0.0.1", tables.server.port());
  }

  /// A packet of seven bytes, which is the first of a request, with a query in it.
  @Override
  public void loseAnswers(FaultyProxy proxy, int before, int times) {
    byte[] commit = "\7\0\0\0\3COMMIT".getBytes(StandardCharsets.US_ASCII);
    proxy.loseAnswersTo(commit, before, times);
  }

  private void drop(String table) {
    tables.run("DROP TABLE `" + table + "`");
  }

  @Override
  public void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> drop(name);
      case ROWS -> tables.run("DELETE FROM `" + name + "`");
      case JOURNAL -> drop("millrace_journal");
      case STAGED -> leftovers(name).forEach(this::drop);
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  @Override
  public List<String> leftovers(String name) {
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
  public List<Endpoint> spellings(String name) {
    return List.of(
        tables.endpoint("table", tables.database + "." + name),
        new Endpoint(
            scheme(),
            "//root@localhost:" + tables.server.port() + "/" + tables.database,
            Map.of("table", name),
            Secret.NONE));
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "names of columns are compared without it",
        Behaviour.TABLE_IDENTITY, "a table is known by its name alone",
        Behaviour.LOSS_OF_LAST_STAGED,
            "rows that are committed stay, and to count them would be to read them all");
  }
}
