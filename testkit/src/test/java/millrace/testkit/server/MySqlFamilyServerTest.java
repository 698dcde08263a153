package millrace.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MySqlFamilyServerTest {

  enum Kind {
    MARIADB("11.4.5-MariaDB"),
    MYSQL("8.0.15");

    private final String version;

    Kind(String version) {
      this.version = version;
    }

    private MySqlFamilyServer shared() {
      return switch (this) {
        case MARIADB -> MariaDbServer.shared();
        case MYSQL -> MySqlServer.shared();
      };
    }

    private MySqlFamilyServer own() {
      return switch (this) {
        case MARIADB -> MariaDbServer.start();
        case MYSQL -> MySqlServer.start(MySqlFamilyServer.synced());
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesTablesAndRowsFromAStream(Kind kind) throws SQLException {
    MySqlFamilyServer server = kind.shared();
    assertThat(kind.shared()).isSameAs(server);
    assertThat(server.version()).isEqualTo(kind.version);
    String database = server.newDatabase();
    server.runIn(database, "CREATE TABLE t (a int PRIMARY KEY, b text)");
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      load(statement, "1\té 日本\n2\ta\\\tb\n3\t\\N\n");
      assertThat(rows(statement)).containsExactly("1=é 日本", "2=a\tb", "3=null");
    }
  }

  @ParameterizedTest
  @EnumSource
  void keepsCommittedRowsIfItIsKilled(Kind kind) throws SQLException {
    try (MySqlFamilyServer server = kind.own()) {
      String database = server.newDatabase();
      server.runIn(database, "CREATE TABLE t (a int PRIMARY KEY, b text)");
      try (Connection connection = server.connect(database);
          Statement statement = connection.createStatement()) {
        load(statement, "1\tx\n");
        connection.setAutoCommit(false);
        load(statement, "2\ty\n");
        server.kill();
      }
      server.restart();
      try (Connection connection = server.connect(database);
          Statement statement = connection.createStatement()) {
        assertThat(rows(statement)).containsExactly("1=x");
      }
    }
  }

  @Test
  void writesFilesWhereTheTestsReadThem() throws Exception {
    MariaDbServer server = MariaDbServer.shared();
    Path file = server.files().resolve(server.newDatabase() + ".txt");
    server.run("SELECT 1, 'a\tb', NULL INTO OUTFILE '" + file + "'");
    assertThat(file).hasContent("1\ta\\\tb\t\\N\n");
    Files.delete(file);
  }

  @Test
  void isWrittenAsAUserWouldWriteIt() {
    MariaDbServer server = MariaDbServer.shared();
    assertThat(server.url("ann", "pw", "db"))
        .isEqualTo("mariadb://ann:pw@127.0.0.1:" + server.port() + "/db");
    assertThat(server.url("root", "", "db"))
        .isEqualTo("mariadb://root@127.0.0.1:" + server.port() + "/db");
  }

  private static void load(Statement statement, String text) throws SQLException {
    statement
        .unwrap(org.mariadb.jdbc.Statement.class)
        .setLocalInfileInputStream(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    statement.execute("LOAD DATA LOCAL INFILE 'rows' INTO TABLE t CHARACTER SET utf8mb4");
  }

  private static List<String> rows(Statement statement) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet set = statement.executeQuery("SELECT a, b FROM t ORDER BY a")) {
      while (set.next()) {
        rows.add(set.getInt(1) + "=" + set.getString(2));
      }
    }
    return rows;
  }
}
