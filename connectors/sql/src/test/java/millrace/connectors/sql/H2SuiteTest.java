package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.testkit.Reading;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ConnectorSuite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What systems with SQL share, by a dialect that has next to nothing of its own.
class H2SuiteTest extends ConnectorSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String database = "suite" + COUNT.incrementAndGet();

  @Override
  protected Connector connector() {
    return new H2Connector();
  }

  @Override
  protected Endpoint table(String name) {
    return end("table", name);
  }

  @Override
  protected Endpoint query(String columns, String table, String condition) {
    return end("query", "SELECT " + columns + " FROM " + table + " WHERE " + condition);
  }

  private Endpoint end(String parameter, String value) {
    return new Endpoint("h2", database, Map.of(parameter, value), Secret.NONE);
  }

  @Override
  protected boolean sql(String name, String statement) {
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        Statement made = connection.createStatement()) {
      made.execute(statement.formatted(name));
      return true;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /// Also if the user names other columns than the key.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "id VARCHAR(40) PRIMARY KEY, since DATE",
        "id UUID PRIMARY KEY, since DATE",
        "id INT, since DATE, PRIMARY KEY (since, id)",
        "id DECIMAL(30,2), since DATE, PRIMARY KEY (id, since)"
      })
  void aTableIsCutByTheFirstColumnOfItsKey(String columns) {
    sql("t", "CREATE TABLE %s (" + columns + ")");
    String id = columns.contains("UUID") ? "CAST(LPAD(x, 32, '0') AS UUID)" : "x";
    sql(
        "t",
        "INSERT INTO %s SELECT "
            + id
            + ", DATEADD('DAY', MOD(x, 99), DATE '2024-02-29')"
            + " FROM SYSTEM_RANGE(1, 3000)");
    for (Selection selection :
        List.of(Selection.ALL, new Selection(List.of("since"), null, Long.MAX_VALUE))) {
      try (Source source = connector().source(table("t"), selection, new OpenContext())) {
        source.describe(new ColumnRequest.Typed());
        try (ReadSession reading = Reading.open(source, 2_000)) {
          List<Split> splits = Reading.splits(reading);
          assertThat(splits).hasSizeGreaterThan(5);
          assertThat(Reading.rows(reading, splits, null)).hasSize(3_000);
        }
      }
    }
  }

  @AfterEach
  void drop() {
    sql("", "SHUTDOWN");
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "names are compared without it here",
        Behaviour.SIGN_OF_ZERO, "H2 does not keep it",
        Behaviour.OTHER_PROCESS, "it is in memory");
  }
}
