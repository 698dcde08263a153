package millrace.connectors.kudu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.JournaledSuite;
import millrace.testkit.suite.MemoryFixture;
import org.apache.kudu.client.KuduException;

/// Copies into a real cluster that are killed and go on.
abstract class KuduResumeFixture extends MemoryFixture implements JournaledSuite {

  private static final AtomicInteger TESTS = new AtomicInteger();

  final String database = "r" + TESTS.incrementAndGet();

  static KuduServers servers() {
    return KuduServers.shared();
  }

  private List<String> tables() {
    try {
      return servers().client().getTablesList(database + ".").getTablesList().stream()
          .filter(name -> name.startsWith(database + "."))
          .toList();
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public Connector connector() {
    return new KuduConnector();
  }

  @Override
  public Endpoint table(String name) {
    return servers().table(database + "." + name, Map.of());
  }

  @Override
  public void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> servers().drop(database + "." + name);
      case ROWS -> servers().empty(database + "." + name);
      case JOURNAL -> servers().drop(database + ".millrace_journal");
      case STAGED -> leftovers(name).forEach(servers()::drop);
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  @Override
  public void putInPlace(String other, String name) {
    servers().rename(database + "." + other, database + "." + name);
  }

  @Override
  public List<String> leftovers(String name) {
    List<String> left = new ArrayList<>(tables());
    left.removeIf(each -> !each.contains("_millrace_"));
    return left;
  }

  @Override
  public List<Endpoint> spellings(String name) {
    String location = table(name).location();
    String masters = location.substring(0, location.lastIndexOf('/'));
    return List.of(
        new Endpoint("kudu", masters, Map.of("table", database + "." + name), Secret.NONE),
        new Endpoint("kudu", location.replace("127.0.0.1", "localhost"), Map.of(), Secret.NONE));
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.ATOMIC, "there are no transactions over tables that are there",
        Behaviour.SHARED_COMMITS, "there are no transactions over tables that are there",
        Behaviour.MERGE_WHOLE, "a merge is an upsert of each row",
        Behaviour.MERGE_BY_ANY_COLUMNS, "an upsert goes by the primary key",
        Behaviour.KEYLESS, "a table has a primary key",
        Behaviour.SERVER, "the masters tell clients where the servers are, past any proxy",
        Behaviour.LOSS_OF_LAST_STAGED,
            "rows that are committed stay, and to count them would be to read them all");
  }
}
