package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import millrace.fault.Fault;
import millrace.spi.Selection;
import millrace.spi.Source;
import millrace.spi.Wanted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is said of a standby server. The embedded server is one meanwhile.
final class PostgresStandbyTest {

  private final TestDatabase database = TestDatabase.embedded();

  @BeforeEach
  void standBy() {
    database.sql("CREATE TABLE t AS SELECT 1 AS n");
    database.server.standBy();
  }

  @AfterEach
  void promote() {
    database.server.promote();
  }

  @Test
  void whoReadsFromOneIsToldThatRowsMayBeMissing() {
    try (Source source = new PostgresConnector().source(database.table("t"), Selection.ALL)) {
      assertThat(source.describe(new Wanted.Typed()).notes())
          .singleElement()
          .asString()
          .startsWith(
              "a standby server is read: it may lack what the primary server has committed");
    }
  }

  @Test
  void nothingIsWrittenToOne() {
    assertThatThrownBy(
            () -> TestDatabase.Copy.of(database.query("SELECT 1 AS n"), database.table("u")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is a standby server, which takes no changes");
  }
}
