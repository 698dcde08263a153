package millrace.connectors.kudu;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumeSuite;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;

/// Copies into a real cluster that are killed and go on.
class KuduResumeSuiteTest extends ResumeSuite {

  private static final AtomicInteger TESTS = new AtomicInteger();

  private final String database = "r" + TESTS.incrementAndGet();

  private static KuduServers servers() {
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
  protected Connector connector() {
    return new KuduConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return servers().table(database + "." + name, Map.of());
  }

  @Override
  protected boolean lose(Loss loss, String name) {
    KuduClient client = servers().client();
    switch (loss) {
      case TABLE -> servers().drop(database + "." + name);
      case ROWS -> servers().empty(database + "." + name);
      case JOURNAL -> servers().drop(database + ".millrace_journal");
      case STAGED -> leftovers(name).forEach(servers()::drop);
      // No crash takes a row that was written, and to count them would be to read them all.
      case STAGED_LAST -> {
        return false;
      }
    }
    return client.getMasterAddressesAsString() != null;
  }

  @Override
  protected boolean putInPlace(String other, String name) {
    servers().rename(database + "." + other, database + "." + name);
    return true;
  }

  @Override
  protected List<String> leftovers(String name) {
    List<String> left = new ArrayList<>(tables());
    left.removeIf(each -> !each.contains("_millrace_"));
    return left;
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    String location = table(name).location();
    String masters = location.substring(0, location.lastIndexOf('/'));
    return List.of(
        new Endpoint("kudu", masters, Map.of("table", database + "." + name), Secret.NONE),
        new Endpoint("kudu", location.replace("127.0.0.1", "localhost"), Map.of(), Secret.NONE));
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.ATOMIC,
        "there are no transactions over tables that are there",
        Behaviour.MERGE_WHOLE,
        "a merge is an upsert of each row",
        Behaviour.MERGE_BY_ANY_COLUMNS,
        "an upsert goes by the primary key",
        Behaviour.KEYLESS,
        "a table has a primary key");
  }
}
