package millrace.connectors.oracle;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.JournaledSuite;
import millrace.testkit.suite.MemoryFixture;

/// Copies into the stand-in for Oracle's server that are cut off and go on.
abstract class OracleResumeFixture extends MemoryFixture implements JournaledSuite {

  /// The subclass's too, so it ends with the process.
  private static final OracleServer SERVER = OracleServer.start();

  private final TestTables tables = new TestTables(SERVER);

  @Override
  public Connector connector() {
    return new OracleConnector();
  }

  /// How rows are sent.
  protected String method() {
    return "normal";
  }

  @Override
  public Endpoint table(String name) {
    return tables.endpoint("table", name, "text-as", "clob", "method", method());
  }

  @Override
  public InetSocketAddress server() {
    return InetSocketAddress.createUnresolved("127.0.0.1", SERVER.port());
  }

  /// The function that commits is number 14, alone in its packet: the type of that, flags and a
  /// checksum of 0, the flags of its data, which say that the request ends there, and that a
  /// function is called.
  @Override
  public void loseAnswers(FaultyProxy proxy, int before, int times) {
    proxy.loseAnswersTo(new byte[] {6, 0, 0, 0, 8, 0, 3, 14}, before, times);
  }

  private void drop(String table) {
    tables.run("DROP TABLE \"" + table + "\" PURGE");
  }

  @Override
  public void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> drop(name.toUpperCase(Locale.ROOT));
      case ROWS -> tables.run("DELETE FROM " + name);
      case JOURNAL -> drop("MILLRACE_JOURNAL");
      case STAGED -> leftovers(name).forEach(this::drop);
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  @Override
  public List<String> leftovers(String name) {
    return tables.bare("SELECT table_name FROM user_tables").stream()
        .filter(each -> each.toLowerCase(Locale.ROOT).contains("_millrace_"))
        .toList();
  }

  @Override
  public List<Endpoint> spellings(String name) {
    return List.of(
        tables.endpoint("table", tables.user + "." + name, "text-as", "clob", "method", method()),
        tables.endpoint(
            "table",
            "\"" + name.toUpperCase(Locale.ROOT) + "\"",
            "text-as",
            "clob",
            "method",
            method()));
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.EMPTY_TEXT, "it is a missing value",
        Behaviour.CASE_IN_NAMES, "a name without quotes is in capitals",
        Behaviour.TABLE_IDENTITY, "a table is known by its name alone",
        Behaviour.LOSS_OF_LAST_STAGED,
            "rows that are committed stay, and to count them would be to read them all");
  }
}
