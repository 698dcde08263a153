package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import millrace.fault.Fault;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What is said of a standby server.
final class PostgresStandbyTest {

  private static final TestDatabase DATABASE = TestDatabase.on(PostgresServer.another());

  @BeforeAll
  static void standBy() {
    DATABASE.sql("CREATE TABLE t AS SELECT 1 AS n");
    DATABASE.server.standBy();
  }

  @Test
  void whoReadsFromOneIsToldThatRowsMayBeMissing() {
    try (Source source =
        new PostgresConnector().source(DATABASE.table("t"), Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().reading().notes())
          .singleElement()
          .asString()
          .startsWith(
              "a standby server is read: it may lack what the primary server has committed");
    }
  }

  @Test
  void nothingIsWrittenToOne() {
    assertThatThrownBy(
            () -> TestDatabase.copy(DATABASE.query("SELECT 1 AS n"), DATABASE.table("u")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is a standby server, which takes no changes");
  }
}
