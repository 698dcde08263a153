package millrace.connectors.kudu;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.MemoryFixture;
import org.apache.kudu.client.KuduException;
import org.jspecify.annotations.Nullable;

/// Tables of a real cluster.
abstract class KuduFixture extends MemoryFixture {

  private static final AtomicInteger TESTS = new AtomicInteger();

  private final int test = TESTS.incrementAndGet();

  @Override
  public Connector connector() {
    return new KuduConnector();
  }

  @Override
  public Endpoint table(String name) {
    return KuduServers.shared().table("t" + test + "." + name, Map.of());
  }

  @Override
  public List<Endpoint> keepingFirst() {
    write(ITEMS, List.of(), table("keeps"));
    return List.of(
        KuduServers.shared().table("t" + test + ".keeps", Map.of("write", "insert-ignore")));
  }

  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws KuduException {
    return KuduServers.shared().rows("t" + test + "." + name, columns);
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.ATOMIC, "there are no transactions over tables that are there",
        Behaviour.MERGE_WHOLE, "a merge is an upsert of each row",
        Behaviour.MERGE_BY_ANY_COLUMNS, "an upsert goes by the primary key",
        Behaviour.KEYLESS, "a table has a primary key",
        Behaviour.SQL, "Kudu takes none",
        Behaviour.WRITE_LOCKS, "nobody can lock a table",
        Behaviour.READ_LOCKS, "nobody can lock a table");
  }
}
