package millrace.connectors.sql.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.h2.H2Connector;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.junit.jupiter.api.Test;

/// A new table takes the place of an old one, or the old one stays.
class TableSwapTest {

  /// Somebody drops the new table just when the old one is put aside for it.
  @Test
  void theOldTableStaysIfTheNewOneIsGone() {
    SqlDatabase database =
        new H2Connector()
            .database(new Endpoint("h2", "renamed", Map.of("table", "t"), Secret.NONE));
    Dialect dialect = database.dialect();
    TableName target = TableName.parse("t", dialect.names(), "PUBLIC");
    TableName old = SqlLoad.old(dialect, target);
    try (SqlSession session = SqlSession.open(database, true)) {
      session.execute("CREATE TABLE t AS SELECT 1 AS n");
      session.execute("CREATE TABLE fresh AS SELECT 2 AS n");
      Predicate<TableName> exists =
          table -> {
            if (table.equals(old)) {
              session.execute("DROP TABLE IF EXISTS fresh");
            }
            return dialect.catalog().exists(session, table);
          };
      TableSwap.Known known = new TableSwap.Known("fresh", true, List.of(), 1);
      TableSwap swap =
          new TableSwap(dialect, session, exists, target, target.beside("fresh"), known, true);
      assertThatThrownBy(swap::run).isInstanceOf(Fault.class).hasMessageContaining("fresh");
      assertThat(session.query("SELECT n FROM t", row -> row.getInt(1))).containsExactly(1);
      session.execute("DROP TABLE t");
    }
  }
}
