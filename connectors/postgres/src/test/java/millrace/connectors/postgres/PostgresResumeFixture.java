package millrace.connectors.postgres;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.suite.JournaledSuite;
import millrace.testkit.suite.MemoryFixture;
import org.junit.jupiter.api.AfterEach;

abstract class PostgresResumeFixture extends MemoryFixture implements JournaledSuite {

  static final TestDatabase DATABASE = TestDatabase.make();

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  final String schema = "resume_" + SCHEMAS.incrementAndGet();

  PostgresResumeFixture() {
    DATABASE.sql("CREATE SCHEMA " + schema);
  }

  @AfterEach
  void dropSchema() {
    DATABASE.sql("DROP SCHEMA " + schema + " CASCADE");
  }

  @Override
  public Connector connector() {
    return new PostgresConnector();
  }

  @Override
  public Endpoint table(String name) {
    return DATABASE.table(schema + "." + name);
  }

  /// Nobody waits a minute for a login.
  @Override
  public Endpoint through(FaultyProxy proxy, Endpoint table) {
    Endpoint after = JournaledSuite.super.through(proxy, table);
    Map<String, String> parameters = new HashMap<>(after.parameters());
    parameters.put("connect-timeout", "5");
    return new Endpoint(after.scheme(), after.location(), parameters, after.secret());
  }

  /// That the receipt is written down, and behind it, after the three answers without a body that
  /// go before each, that all is committed.
  @Override
  public void loseAnswers(FaultyProxy proxy, int before, int times) {
    String prepared = "1\0\0\0\u00042\0\0\0\u0004n\0\0\0\u0004";
    String committed = "INSERT 0 1\0" + prepared + "C\0\0\0\u000bCOMMIT\0";
    proxy.loseAnswers(committed.getBytes(StandardCharsets.ISO_8859_1), before, times);
  }

  /// What says that all is committed: behind the mark of the run, no receipt is written down.
  @Override
  public void loseAnswerAtTheEnd(FaultyProxy proxy) {
    proxy.loseAnswers("C\0\0\0\u000bCOMMIT\0".getBytes(StandardCharsets.ISO_8859_1), 0, 1);
  }

  @Override
  public InetSocketAddress server() {
    return InetSocketAddress.createUnresolved(DATABASE.server.host(), DATABASE.server.port());
  }

  @Override
  public void lose(Loss loss, String name) {
    String table = schema + "." + name;
    switch (loss) {
      case TABLE -> DATABASE.sql("DROP TABLE " + table);
      case ROWS -> DATABASE.sql("TRUNCATE " + table);
      case STAGED ->
          leftovers(name).forEach(each -> DATABASE.sql("TRUNCATE " + schema + "." + each));
      case STAGED_LAST ->
          leftovers(name)
              .forEach(each ->
                  DATABASE.sql(
                      "DELETE FROM %1$s WHERE ctid = (SELECT max(ctid) FROM %1$s)"
                          .formatted(schema + "." + each)));
      case JOURNAL -> DATABASE.sql("DROP TABLE " + schema + ".millrace_journal");
    }
  }

  @Override
  public void putInPlace(String other, String name) {
    DATABASE.sql(
        "DROP TABLE %1$s.%3$s; ALTER TABLE %1$s.%2$s RENAME TO %3$s"
            .formatted(schema, other, name));
  }

  @Override
  public List<String> leftovers(String name) {
    List<String> left = new ArrayList<>();
    DATABASE
        .column(
            "SELECT relname FROM pg_class WHERE relnamespace = '"
                + schema
                + "'::regnamespace AND relkind = 'r' AND relname LIKE '"
                + name
                + "\\_millrace%'")
        .forEach(each -> left.add(Objects.requireNonNull(each)));
    return left;
  }

  @Override
  public List<Endpoint> spellings(String name) {
    String elsewhere = table(name).location().replace("@localhost", "@127.0.0.1");
    return List.of(
        DATABASE.table(schema.toUpperCase(Locale.ROOT) + "." + name.toUpperCase(Locale.ROOT)),
        DATABASE.table("\"" + schema + "\".\"" + name + "\""),
        new Endpoint("postgres", elsewhere, Map.of("table", schema + "." + name), Secret.NONE));
  }
}
