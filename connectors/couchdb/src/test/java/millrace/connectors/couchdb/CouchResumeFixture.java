package millrace.connectors.couchdb;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/// Rows that have no ids become documents that get ids of their own, and are read as rows again.
abstract class CouchResumeFixture extends MemoryFixture implements JournaledSuite {

  private static final Map<String, String> FIELDS =
      Map.of("fields", "id:int64,name:text,amount:decimal(9,2)");

  final KeepingServer server = new KeepingServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  public Connector connector() {
    return new CouchConnector();
  }

  @Override
  public Endpoint table(String name) {
    return server.database(name, FIELDS);
  }

  /// A database is a table, and its journal lies in it.
  @Override
  public @Nullable Endpoint allTables() {
    return null;
  }

  @Override
  public void loseAnswers(FaultyProxy proxy, int before, int times) {
    byte[] created = "HTTP/1.1 201".getBytes(StandardCharsets.US_ASCII);
    proxy.loseAnswers(created, before, times);
  }

  @Override
  public InetSocketAddress server() {
    return InetSocketAddress.createUnresolved("localhost", server.port());
  }

  @Override
  public void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> server.drop(name);
      case JOURNAL -> server.local(name).clear();
      case ROWS -> throw notGiven(Behaviour.LOSS_OF_ROWS);
      case STAGED -> throw notGiven(Behaviour.LOSS_OF_STAGED);
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  @Override
  public List<String> leftovers(String name) {
    return List.of();
  }

  @Override
  public List<Endpoint> spellings(String name) {
    String location = table(name).location();
    return List.of(
        new Endpoint("couchdb", location.replace("localhost", "127.0.0.1"), FIELDS, Secret.NONE),
        new Endpoint("couchdb", location + "/", FIELDS, Secret.NONE));
  }

  /// By another name of its host a source is another one.
  @Override
  public List<Endpoint> sourceSpellings(String name) {
    return List.of();
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.ofEntries(
        Map.entry(Behaviour.REPLACE, "one database can't be put in the place of another"),
        Map.entry(Behaviour.MERGE, "documents have no keys but their ids"),
        Map.entry(Behaviour.ATOMIC, "there are no transactions"),
        Map.entry(Behaviour.APPEARS_WHOLE, "documents are there as they come"),
        Map.entry(Behaviour.EXISTING_COLUMNS, "documents have the columns that they have"),
        Map.entry(Behaviour.NAME_PATTERNS, "a journal is documents of its database"),
        Map.entry(Behaviour.TABLE_IDENTITY, "a database has no identity of its own"),
        Map.entry(Behaviour.LOSS_OF_ROWS, "a document that is deleted leaves its deletion"),
        Map.entry(Behaviour.LOSS_OF_STAGED, "nothing is staged"),
        Map.entry(Behaviour.LOSS_OF_LAST_STAGED, "nothing is staged"),
        Map.entry(Behaviour.SHARED_COMMITS, "there are no transactions"));
  }
}
