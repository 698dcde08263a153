package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import millrace.testkit.suite.OnlineStoreSuite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PostgresOnlineSuiteTest extends OnlineStoreSuite {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final String schema = "online_" + SCHEMAS.incrementAndGet();

  PostgresOnlineSuiteTest() {
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

  private OnlineStore store(String table, Duration partition) {
    List<Level> levels = List.of(new Level("raw", table, Duration.ofSeconds(1)));
    OnlineLayout layout = new OnlineLayout(levels, false, partition, 0);
    return new PostgresConnector().online(table("any"), layout, new OpenContext());
  }

  @Test
  void aLostConnectionIsTransientAndTheNextCallHasAnother() {
    Readings rows = new Readings(2);
    rows.add(1, 0, 10);
    rows.add(2, 0, 20);
    Window span = new Window(0, 1);
    try (OnlineStore store = store("lost", Duration.ZERO);
        RowWriter writer = store.writer()) {
      store.create();
      writer.write("lost", rows, List.of());
      DATABASE.sql(
          "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
              + " WHERE application_name = 'millrace' AND datname = current_database()");
      assertThatThrownBy(() -> writer.write("lost", rows, List.of()))
          .isInstanceOf(Fault.Transient.class);
      writer.write("lost", rows, List.of());
      assertThat(store.sums("lost", span)).isEqualTo(new OnlineStore.Sums(2, 30));
    }
  }

  @Test
  @Timeout(60)
  void partitionsAreMadeWhileOthersHoldTransactionsOpen() throws Exception {
    Readings rows = new Readings(1);
    rows.add(1, 0, 10);
    try (OnlineStore store = store("open", Duration.ofMinutes(1));
        RowWriter writer = store.writer()) {
      store.create();
      store.addPartitions(new Window(0, 1));
      writer.write("open", rows, List.of());
      String open = schema + ".open";
      try (Connection other = DATABASE.server.connect(DATABASE.name);
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.execute("SET lock_timeout = '5s'");
        statement.execute("SELECT * FROM " + open);
        statement.execute("UPDATE " + open + " SET device_load = 11");
        List<Long> made = store.addPartitions(new Window(0, 60_000_001));
        assertThat(made).containsExactly(60_000_000L);
      }
    }
  }

  @Test
  void partitionsAreNamedByTheirBeginning() {
    try (OnlineStore store = store("Named", Duration.ofHours(1))) {
      store.create();
      store.addPartitions(new Window(0, 1));
    }
    assertThat(DATABASE.column("SELECT relname FROM pg_class WHERE relispartition"))
        .contains("Named_p_19700101_00");
  }

  @Test
  void namesThatTheServerWouldCutOffAreRefused() {
    assertThatThrownBy(() -> store("n".repeat(50), Duration.ofHours(1)))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("63 bytes");
  }
}
