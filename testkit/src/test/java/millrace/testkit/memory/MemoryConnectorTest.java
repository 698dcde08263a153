package millrace.testkit.memory;

import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.BadRowPlacesSuite;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ColumnNamesSuite;
import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.ConstraintSuite;
import millrace.testkit.suite.ExistingTypesSuite;
import millrace.testkit.suite.IncrementalSuite;
import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.LandingSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.MergeKeySuite;
import millrace.testkit.suite.MergeSuite;
import millrace.testkit.suite.OneStateSuite;
import millrace.testkit.suite.SelectionSuite;
import millrace.testkit.suite.SetAsideSuite;
import millrace.testkit.suite.SourceSuite;
import millrace.testkit.suite.TablesSuite;
import org.jspecify.annotations.Nullable;

class MemoryConnectorTest extends MemoryFixture
    implements BadRowPlacesSuite,
        ColumnNamesSuite,
        ConnectorSuite,
        ConstraintSuite,
        ExistingTypesSuite,
        IncrementalSuite,
        InterruptedRunSuite,
        KeptDefinitionSuite,
        LandingSuite,
        ManyTablesSuite,
        MergeKeySuite,
        MergeSuite,
        OneStateSuite,
        SelectionSuite,
        SetAsideSuite,
        SourceSuite,
        TablesSuite {

  private final MemoryConnector tried = new MemoryConnector();

  @Override
  public Connector connector() {
    return tried;
  }

  @Override
  public Endpoint table(String name) {
    return tried.endpoint(name);
  }

  /// A map of this process: its reader does nothing to the rows.
  @Override
  public @Nullable List<List<@Nullable Object>> independently(String name, List<String> columns) {
    return null;
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.OTHER_PROCESS, "its tables are on the heap of this one",
        Behaviour.SHARED_MOMENT, "its tables are on the heap of one process",
        Behaviour.SQL, "memory takes none",
        Behaviour.WRITE_LOCKS, "nobody can lock a table",
        Behaviour.READ_LOCKS, "nobody can lock a table",
        Behaviour.ROWS_LEFT_OUT, "no table does so");
  }
}
