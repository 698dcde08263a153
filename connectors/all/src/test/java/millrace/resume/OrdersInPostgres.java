package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import millrace.connectors.Connectors;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.PostgresServer;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A file of orders, a database of its own, and copies between them.
abstract class OrdersInPostgres {

  static final int ROWS = 4000;
  private static final int BATCH_ROWS = 100;
  private static final long SPLIT_BYTES = 8 << 10;

  @TempDir Path folder;

  final PostgresServer server = PostgresServer.shared();
  final String database = server.newDatabase();

  @BeforeEach
  void makeRows() throws IOException {
    write(folder.resolve("orders.csv"), "");
  }

  static void write(Path file, String mark) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i).append(",\"name\n").append(i).append(mark).append("\"\n");
    }
    Files.writeString(file, text);
  }

  /// A copy without --resume on two lanes, which commits whole splits.
  static ResumableCopy copy(Endpoint from, Endpoint to, Mode mode) {
    return copy(from, to, mode, false, 2, 0);
  }

  /// @param commitRows how many rows to commit at a time, 0 for whole splits
  static ResumableCopy copy(
      Endpoint from, Endpoint to, Mode mode, boolean atomic, int lanes, int commitRows) {
    Copying copying =
        Copying.of(Connectors.ALL.of(from), from, Connectors.ALL.of(to), to)
            .landing(new WriteOptions(mode, atomic, List.of(), false))
            .lanes(lanes, SPLIT_BYTES);
    return ResumableCopy.of(copying, BATCH_ROWS).commitRows(commitRows).unrequested();
  }

  final ResumableCopy appends(Endpoint from, boolean atomic) {
    return copy(from, table("orders"), Mode.APPEND, atomic, 2, 0);
  }

  final Endpoint table(String name) {
    return new Endpoint(
        "postgresql", server.location(database), Map.of("table", name), Secret.NONE);
  }

  final Endpoint file(String name) {
    return file(name, Map.of());
  }

  final Endpoint file(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  final String value(String query) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + query, e);
    }
  }

  final void assertAllThereOnce(String table) {
    assertThat(
            value("SELECT count(*) || ' ' || count(DISTINCT id) || ' ' || sum(id) FROM " + table))
        .isEqualTo(ROWS + " " + ROWS + " " + (long) ROWS * (ROWS + 1) / 2);
    assertThat(value("SELECT count(*) FROM " + table + " WHERE name <> E'name\\n' || id"))
        .isEqualTo("0");
  }

  /// But marks of complete copies.
  final void assertNothingLeftBehind() {
    assertThat(
            value(
                "SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class WHERE relname LIKE"
                    + " '%millrace%' AND relname NOT LIKE 'millrace_journal%'"))
        .isEmpty();
    if (value("SELECT to_regclass('millrace_journal') IS NOT NULL").equals("t")) {
      assertThat(
              value(
                  "SELECT count(*) FROM millrace_journal WHERE split = -1"
                      + " AND details NOT LIKE '%\"complete\":{%'"))
          .isEqualTo("0");
    }
  }
}
