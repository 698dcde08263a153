package millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresServerTest {

  private final PostgresServer server = PostgresServer.embedded();

  @Test
  void everyDatabaseIsEmptyAndKeepsTextInUtf8() throws SQLException {
    String first = server.newDatabase();
    String second = server.newDatabase();
    server.execute(first, "CREATE TABLE t (a text)", "INSERT INTO t VALUES ('é 日本')");
    assertThat(one(first, "SELECT a FROM t")).isEqualTo("é 日本");
    assertThat(one(second, "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'"))
        .isEqualTo("0");
  }

  @Test
  void membersOfThePasswordRoleAreAskedForTheirPassword() throws SQLException {
    String database = server.newDatabase();
    server.execute(
        database,
        "CREATE ROLE careful LOGIN PASSWORD 'right' IN ROLE " + PostgresServer.PASSWORD_ROLE);
    String url = "jdbc:postgresql://" + server.host() + ":" + server.port() + "/" + database;
    try (Connection connection = DriverManager.getConnection(url, "careful", "right")) {
      assertThat(connection.isValid(10)).isTrue();
    }
    assertThatThrownBy(() -> DriverManager.getConnection(url, "careful", "wrong").close())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
  }

  private String one(String database, String sql) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
