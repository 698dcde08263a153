package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.SetAsideSuite;
import millrace.testkit.suite.SourceSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A database read as columns, written by the connector itself. What modes promise to tables, a
/// database of documents can't: {@link CouchCopyTest} says what it does.
class CouchSuiteTest extends MemoryFixture implements SetAsideSuite, SourceSuite {

  private static final Schema ITEMS =
      Schema.of(
          List.of(
              new Column("_id", Type.Text.UNLIMITED, false, null),
              Column.of("number", new Type.Int(64)),
              Column.of("name", Type.Text.UNLIMITED)));

  /// Made once: nobody writes to it.
  private static @Nullable Endpoint shared;

  @Override
  public Connector connector() {
    return new CouchConnector();
  }

  @Override
  public Endpoint filled() {
    return known();
  }

  private static synchronized Endpoint known() {
    Endpoint known = shared;
    if (known == null) {
      known = make();
      shared = known;
    }
    return known;
  }

  private static List<Row> rows() {
    Random random = new Random(5);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      String text = "é \"" + random.nextInt() + "\"\\\n\u0001水".repeat(1 + i % 3);
      rows.add(Row.of("id-%05d".formatted(i), i, i % 9 == 0 ? null : text));
    }
    return rows;
  }

  private static Endpoint make() {
    Map<String, String> fields = Map.of("fields", "_id:text,number:int64,name:text");
    Endpoint made = CouchServer.shared().database("suite-" + System.nanoTime(), fields);
    MemoryConnector memory = new MemoryConnector();
    memory.put("rows", ITEMS, rows());
    Copying.of(memory, memory.endpoint("rows"), new CouchConnector(), made).mode(Mode.CREATE).run();
    return made;
  }

  /// What all tests here read, as a plain GET finds it: the connector has written it itself.
  @Test
  void documentsAreThoseThatWereWritten() throws Exception {
    String location = known().location();
    String name = location.substring(location.lastIndexOf('/') + 1);
    List<Row> found = new ArrayList<>();
    for (JsonNode each : CouchServer.shared().documents(name).path("rows")) {
      JsonNode document = each.path("doc");
      JsonNode text = document.path("name");
      assertThat(document.path("number").isIntegralNumber()).isTrue();
      found.add(
          Row.of(
              document.path("_id").textValue(),
              document.path("number").longValue(),
              text.isMissingNode() || text.isNull() ? null : text.textValue()));
    }
    RowCheck.sameRows(ITEMS, rows(), found);
  }

  @Override
  public Endpoint missing() {
    return CouchServer.shared().database("no-such-database-" + System.nanoTime());
  }

  @Override
  public String missingName() {
    return "no-such-database";
  }
}
