package millrace.testkit.oracle;

import static millrace.testkit.oracle.OracleStandIn.execute;
import static millrace.testkit.oracle.OracleStandIn.query;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CLOBs and BLOBs are written by texts, bytes, streams and temporary LOBs, and read with and
/// without prefetch.
@Tag("stand-in")
class OracleStandInLobTest {

  private static final OracleServer SERVER = OracleServer.start();
  private final Connection connection;

  OracleStandInLobTest() throws SQLException {
    connection = OracleStandIn.connect(SERVER);
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS lobs",
        "CREATE TABLE lobs (c CLOB, id NUMBER(9), b BLOB, n NCLOB)");
    connection.setAutoCommit(false);
  }

  @AfterEach
  void end() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 10, 1_000_000})
  void valuesComeBackWhateverIsPrefetched(int prefetch) throws SQLException {
    int[] lengths = {1, 1000, 40_000, 100_000};
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO lobs (c, id, b, n) VALUES (?, ?, ?, ?)")) {
      for (int length : lengths) {
        insert.setString(1, "ü".repeat(length));
        insert.setInt(2, length);
        insert.setBytes(3, new byte[length]);
        insert.setNString(4, "€".repeat(Math.min(length, 1000)));
        insert.addBatch();
      }
      insert.setNull(1, Types.CLOB);
      insert.setInt(2, 200_000);
      insert.setNull(3, Types.BLOB);
      insert.setNull(4, Types.NCLOB);
      insert.addBatch();
      insert.executeBatch();
    }
    connection.commit();
    Properties properties = new Properties();
    properties.put("user", SERVER.user());
    properties.put("password", SERVER.password());
    properties.put("oracle.jdbc.defaultLobPrefetchSize", String.valueOf(prefetch));
    try (Connection reading = DriverManager.getConnection(SERVER.url(), properties);
        Statement statement = reading.createStatement();
        ResultSet rows = statement.executeQuery("SELECT c, b, n, id FROM lobs ORDER BY id")) {
      for (int length : lengths) {
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("ü".repeat(length));
        assertThat(rows.getBytes(2)).hasSize(length);
        assertThat(rows.getString(3)).startsWith("€");
        assertThat(rows.getClob(1).length()).isEqualTo(length);
      }
      rows.next();
      assertThat(rows.getString(1)).isNull();
      assertThat(rows.getBytes(2)).isNull();
    }
  }

  @Test
  void temporaryLobsAreMadeWrittenAndBound() throws SQLException, IOException {
    Clob clob = connection.createClob();
    clob.setString(1, "temporary");
    clob.setString(10, " text");
    assertThat(clob.length()).isEqualTo(14);
    assertThat(clob.getSubString(11, 4)).isEqualTo("text");
    Blob blob = connection.createBlob();
    try (OutputStream out = blob.setBinaryStream(1)) {
      out.write(new byte[40_000]);
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO lobs (c, id, b) VALUES (?, 1, ?)")) {
      insert.setClob(1, clob);
      insert.setBlob(2, blob);
      insert.executeUpdate();
    }
    clob.free();
    blob.free();
    assertThat(query(connection, "SELECT c, LENGTH(b) FROM lobs"))
        .containsExactly("temporary text|40000");
  }

  @Test
  void streamsOfAnyLengthAreBound() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO lobs (c, id) VALUES (?, ?)")) {
      for (int i = 0; i < 4; i++) {
        insert.setCharacterStream(1, new StringReader("x".repeat(i % 2 == 0 ? 10 : 40_000)));
        insert.setInt(2, i);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(4);
    }
    assertThat(query(connection, "SELECT id, LENGTH(c) FROM lobs ORDER BY id"))
        .containsExactly("0|10", "1|40000", "2|10", "3|40000");
  }

  @Test
  void anEmptyLobIsNotNull() throws SQLException {
    execute(
        connection,
        "INSERT INTO lobs (id, c, b) VALUES (1, EMPTY_CLOB(), EMPTY_BLOB())",
        "INSERT INTO lobs (id, c) VALUES (2, '')");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO lobs (id, c) VALUES (3, ?)")) {
      insert.setClob(1, connection.createClob());
      insert.executeUpdate();
    }
    assertThat(query(connection, "SELECT id FROM lobs WHERE c IS NULL")).containsExactly("2");
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT c, b FROM lobs WHERE id = 1")) {
      rows.next();
      assertThat(rows.getClob(1)).isNotNull();
      assertThat(rows.getClob(1).length()).isZero();
      assertThat(rows.getBlob(2).length()).isZero();
    }
  }
}
