package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.StatementParameters;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.value.DatabaseCharset;
import oracle.jdbc.internal.OracleConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Texts that are bound as bytes arrive as those that are bound as strings do, byte by byte.
class OracleTextBindsTest {

  private static final Map<DatabaseCharset, OracleServer> SERVERS =
      new EnumMap<>(DatabaseCharset.class);

  /// A description of a text: its size, its flags and character set, before the first row.
  private static final Pattern BIND =
      Pattern.compile("01030000(?:01(..)|02(....)|03(......))0001100000(?:020369|0101|011f)010000");

  private static final List<String> COLUMNS =
      List.of("VARCHAR2(4000)", "CHAR(2000)", "NVARCHAR2(2000)", "CLOB");

  @AfterAll
  static void stop() {
    SERVERS.values().forEach(OracleServer::close);
  }

  private static OracleServer server(DatabaseCharset charset) {
    return SERVERS.computeIfAbsent(charset, OracleServer::start);
  }

  /// What a character set has, each with a missing value in the middle and at either end.
  static Stream<Arguments> texts() {
    List<Arguments> all = new ArrayList<>();
    for (DatabaseCharset charset :
        List.of(DatabaseCharset.AL32UTF8, DatabaseCharset.US7ASCII, DatabaseCharset.WE8ISO8859P1)) {
      String odd =
          charset == DatabaseCharset.US7ASCII
              ? "~"
              : charset == DatabaseCharset.WE8ISO8859P1 ? "äÿ" : "ä€" + Character.toString(0x1F600);
      for (String column : COLUMNS) {
        for (List<String> texts :
            List.of(
                List.of("a", "-", "bc"),
                List.of("-", odd, "x", "-"),
                List.of(odd.repeat(40), "-", odd),
                List.of("-", "-"),
                List.of("z".repeat(996), "b"))) {
          all.add(Arguments.of(charset, column, texts));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("texts")
  void theServerIsSentTheSameRowsInOneCall(
      DatabaseCharset charset, String column, List<String> texts) throws Exception {
    TestTables tables = new TestTables(server(charset));
    tables.run("CREATE TABLE t (v " + column + ")");
    try (WireTap tap = new WireTap(tables.server.port());
        Connection connection = tables.connect(tap.port())) {
      Sent ours = insert(tap, connection, texts, true);
      Sent strings = insert(tap, connection, texts, false);
      assertThat(ours.rows()).isEqualTo(strings.rows());
      assertThat(ours.calls()).isEqualTo(1);
      assertThat(ours.declared()).isLessThanOrEqualTo(4_000);
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void aStreamIsTheSame(DatabaseCharset charset, String column, List<String> texts)
      throws Exception {
    TestTables tables = new TestTables(server(charset));
    tables.run("CREATE TABLE t (v " + column + ")");
    try (Connection connection = tables.connect()) {
      List<String> ours = stream(tables, connection, texts, true);
      assertThat(ours).hasSize(1);
      assertThat(ours).isEqualTo(stream(tables, connection, texts, false));
    }
  }

  /// One change of its class for a column, not one for each text that is longer.
  @ParameterizedTest
  @MethodSource("texts")
  void aColumnThatHasALongTextGoesOnWithStrings(
      DatabaseCharset charset, String column, List<String> texts) throws Exception {
    TestTables tables = new TestTables(server(charset));
    tables.run("CREATE TABLE t (v " + column + ")");
    List<String> mixed = new ArrayList<>(texts);
    for (int i = 0; i < 4; i++) {
      mixed.add("y".repeat(997));
      mixed.addAll(texts);
    }
    try (WireTap tap = new WireTap(tables.server.port());
        Connection connection = tables.connect(tap.port())) {
      assertThat(insert(tap, connection, mixed, true).calls()).isEqualTo(2);
    }
  }

  /// What a client has sent for an array.
  ///
  /// @param rows in hexadecimal, without packets' heads
  private record Sent(String rows, int declared, int calls) {}

  private static Sent insert(WireTap tap, Connection connection, List<String> texts, boolean bytes)
      throws SQLException {
    connection.setAutoCommit(false);
    OracleTraits traits = OracleTraits.of(connection);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
      tap.clear();
      bind(insert, traits, texts, bytes);
      insert.executeBatch();
      String sent = HexFormat.of().formatHex(tap.sent());
      connection.rollback();
      Matcher bind = BIND.matcher(sent);
      int calls = 0;
      int declared = 0;
      int end = 0;
      while (bind.find()) {
        calls++;
        for (int i = 1; i <= bind.groupCount(); i++) {
          declared = bind.group(i) == null ? declared : Integer.parseInt(bind.group(i), 16);
        }
        end = bind.end();
      }
      return new Sent(sent.substring(end), declared, calls);
    }
  }

  private static void bind(
      PreparedStatement statement, OracleTraits traits, List<String> texts, boolean bytes)
      throws SQLException {
    RowParameters row =
        bytes ? OracleParameters.of(statement, traits) : StatementParameters.of(statement);
    for (String text : texts) {
      if (text.equals("-")) {
        row.setNull(1, Types.VARCHAR);
      } else {
        byte[] utf8 = ("|" + text + "|").getBytes(StandardCharsets.UTF_8);
        row.setText(1, utf8, 1, utf8.length - 1);
      }
      statement.addBatch();
    }
  }

  private static List<String> stream(
      TestTables tables, Connection connection, List<String> texts, boolean bytes)
      throws SQLException {
    connection.setAutoCommit(false);
    tables.server.log().clear();
    try (PreparedStatement stream =
        connection
            .unwrap(OracleConnection.class)
            .prepareDirectPath(tables.user, "T", new String[] {"V"})) {
      bind(stream, OracleTraits.of(connection), texts, bytes);
      stream.executeBatch();
      connection.commit();
    }
    return tables.server.log().events(LogEvent.DirectPathStreamed.class).stream()
        .map(event -> HexFormat.of().formatHex(event.stream()))
        .toList();
  }
}
