package millrace.connectors.couchdb;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.AfterEach;

/// Rows that have no ids become documents that get ids of their own, and are read as rows again.
class CouchResumeSuiteTest extends ResumeSuite {

  private static final Map<String, String> FIELDS =
      Map.of("fields", "id:int64,name:text,amount:decimal(9,2)");

  private final KeepingServer server = new KeepingServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected Connector connector() {
    return new CouchConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return server.database(name, FIELDS);
  }

  @Override
  protected byte[] committed() {
    return "HTTP/1.1 201".getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  protected InetSocketAddress server() {
    return InetSocketAddress.createUnresolved("localhost", server.port());
  }

  @Override
  protected boolean lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> server.drop(name);
      case JOURNAL -> server.local(name).clear();
      case ROWS, STAGED, STAGED_LAST -> {
        return false;
      }
    }
    return true;
  }

  @Override
  protected List<String> leftovers(String name) {
    return List.of();
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    String location = table(name).location();
    return List.of(
        new Endpoint("couchdb", location.replace("localhost", "127.0.0.1"), FIELDS, Secret.NONE),
        new Endpoint("couchdb", location + "/", FIELDS, Secret.NONE));
  }

  /// By another name of its host a source is another one.
  @Override
  protected List<Endpoint> sourceSpellings(String name) {
    return List.of();
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.REPLACE, "one database can't be put in the place of another",
        Behaviour.MERGE, "documents have no keys but their ids",
        Behaviour.ATOMIC, "there are no transactions",
        Behaviour.APPEARS_WHOLE, "documents are there as they come",
        Behaviour.EXISTING_COLUMNS, "documents have the columns that they have");
  }
}
