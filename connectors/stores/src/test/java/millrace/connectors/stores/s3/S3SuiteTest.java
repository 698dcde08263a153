package millrace.connectors.stores.s3;

import static java.util.stream.Collectors.toMap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.stores.StoreFixture;
import millrace.spi.store.ObjectStore;
import millrace.spi.write.Mode;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
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
import millrace.testkit.suite.MergeKeySuite;
import millrace.testkit.suite.MergeSuite;
import millrace.testkit.suite.OneStateSuite;
import millrace.testkit.suite.SelectionSuite;
import millrace.testkit.suite.SetAsideSuite;
import millrace.testkit.suite.SourceSuite;
import millrace.testkit.suite.Suite;
import millrace.testkit.suite.TablesSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What every connector promises of modes, many tables and reading, on files of text in a bucket.
class S3SuiteTest extends StoreFixture
    implements ConnectorSuite, ManyTablesSuite, SelectionSuite, SetAsideSuite, SourceSuite {

  private static S3Places places;
  private static ObjectStore store;

  @BeforeAll
  static void startServer() {
    places = new S3Places();
    store = places.open();
  }

  @AfterAll
  static void stopServer() {
    store.close();
    places.close();
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new HashMap<>(super.cannot());
    all.put(Behaviour.OTHER_PROCESS, "its keys are in a file that this process alone knows");
    return all;
  }

  @Override
  public Map<Class<? extends Suite>, String> leavesOut() {
    return Stream.of(
            LandingSuite.class,
            InterruptedRunSuite.class,
            MergeSuite.class,
            ColumnNamesSuite.class,
            KeptDefinitionSuite.class,
            MergeKeySuite.class,
            OneStateSuite.class,
            ExistingTypesSuite.class,
            IncrementalSuite.class,
            TablesSuite.class,
            ConstraintSuite.class,
            BadRowPlacesSuite.class)
        .collect(toMap(suite -> suite, _ -> "files of this machine, by the same code, are tried"));
  }

  /// Nothing is added to an object that is there; one that is not there is made.
  @Test
  @Override
  public void appendMakesATableThatIsMissing() {
    List<Row> rows = items(50, 500);
    copying(rows, table("append_to_none"), Mode.APPEND).run();
    RowCheck.sameRows(ITEMS, rows, read(ITEMS, table("append_to_none")));
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected String root() {
    return "s3://" + S3Places.BUCKET + "/";
  }

  @Override
  protected Map<String, String> settings() {
    return Map.of("aws-profile", "tests", "endpoint", places.server.endpoint().toString());
  }
}
