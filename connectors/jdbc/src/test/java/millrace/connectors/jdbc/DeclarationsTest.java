package millrace.connectors.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tables made by hand, with each declaration of a system: what a column would cut, round or fill
/// up is a bad record, and what it holds comes back.
class DeclarationsTest {

  private final MemoryConnector memory = new MemoryConnector();

  private static Engine engine(String name) {
    return switch (name) {
      case "h2" -> Engine.h2();
      case "hsqldb" -> Engine.hsqldb();
      default -> Engine.derby();
    };
  }

  /// A system, a declaration, texts that its column holds, and one that it does not.
  static Stream<Arguments> declarations() {
    List<Arguments> all = new ArrayList<>();
    for (String engine : List.of("h2", "hsqldb")) {
      all.add(Arguments.of(engine, "TINYINT", List.of("-128", "127"), "200"));
      all.add(Arguments.of(engine, "TIME(0)", List.of("12:34:56"), "12:34:56.5"));
      all.add(Arguments.of(engine, "TIME(3)", List.of("12:34:56.789"), "12:34:56.7891"));
      all.add(
          Arguments.of(
              engine, "TIMESTAMP(0)", List.of("2024-02-29 12:34:56"), "2024-02-29 12:34:56.5"));
      all.add(
          Arguments.of(
              engine,
              "TIMESTAMP(3) WITH TIME ZONE",
              List.of("2024-02-29 12:34:56.789+00"),
              "2024-02-29 12:34:56.7891+00"));
      all.add(Arguments.of(engine, "VARBINARY(3)", List.of("\\x010203", "\\x01"), "\\x01020304"));
      all.add(Arguments.of(engine, "BINARY(3)", List.of("\\x010203"), "\\x01"));
      all.add(Arguments.of(engine, "BOOLEAN", List.of("true", "false"), "2"));
      all.add(
          Arguments.of(engine, "UUID", List.of("00112233-4455-6677-8899-aabbccddeeff"), "no uuid"));
    }
    all.add(Arguments.of("derby", "TIME", List.of("12:34:56"), "12:34:56.5"));
    all.add(Arguments.of("derby", "VARCHAR(3) FOR BIT DATA", List.of("\\x010203"), "\\x01020304"));
    all.add(Arguments.of("derby", "CHAR(3) FOR BIT DATA", List.of("\\x010203"), "\\x01"));
    for (String engine : List.of("h2", "hsqldb", "derby")) {
      all.add(Arguments.of(engine, "SMALLINT", List.of("-32768", "32767"), "32768"));
      all.add(Arguments.of(engine, "INTEGER", List.of("-2147483648"), "2147483648"));
      all.add(Arguments.of(engine, "DECIMAL(5,2)", List.of("999.99", "-0.01"), "0.001"));
      all.add(Arguments.of(engine, "NUMERIC(5,2)", List.of("12.30"), "1000"));
      all.add(Arguments.of(engine, "VARCHAR(3)", List.of("abc", "ab "), "abcd"));
      all.add(Arguments.of(engine, "DOUBLE PRECISION", List.of("0.1", "1e+300"), "-0.0"));
      all.add(Arguments.of(engine, "DATE", List.of("2024-02-29", "0001-01-01"), "12024-01-01"));
      all.add(Arguments.of(engine, "CLOB", List.of("x".repeat(100_000)), ""));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void whatAColumnDoesNotHoldIsABadRecord(
      String system, String declared, List<String> held, String refused) {
    Engine engine = engine(system);
    engine.run("CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v " + declared + ")");
    Schema texts =
        Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("v", Type.Text.UNLIMITED)));
    List<Row> rows = new ArrayList<>();
    held.forEach(text -> rows.add(Row.of(rows.size(), text)));
    rows.add(Row.of(100, null));
    int good = rows.size();
    if (!refused.isEmpty()) {
      rows.add(Row.of(1_000, refused));
    }
    memory.put("rows", texts, rows);
    Copying.of(memory, memory.endpoint("rows"), new JdbcConnector(), engine.end("table", "t"))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(refused.isEmpty() ? 0 : 1, null))
        .run();
    memory.put("back", texts, List.of());
    Copying.of(new JdbcConnector(), engine.end("table", "t"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    assertThat(memory.rows("back")).containsExactlyInAnyOrderElementsOf(rows.subList(0, good));
    engine.end();
  }

  @Test
  void aTypeThatIsNotKnownIsRefusedByName() {
    Engine engine = Engine.h2();
    engine.run("CREATE TABLE t (id INT PRIMARY KEY, g GEOMETRY)");
    memory.put("back", Schema.of(List.of(Column.of("id", new Type.Int(32)))), List.of());
    Copying copying =
        Copying.of(new JdbcConnector(), engine.end("table", "t"), memory, memory.endpoint("back"))
            .mode(Mode.APPEND);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("column \"G\" is of type GEOMETRY");
    copying.select(List.of("id")).run();
  }

  /// As users of the database's own tools write them.
  @Test
  void namesOfNewTablesNeedNoQuotes() throws SQLException {
    for (Engine engine : List.of(Engine.h2(), Engine.hsqldb(), Engine.derby())) {
      memory.put(
          "rows",
          Schema.of(
              List.of(Column.of("id", new Type.Int(32)), Column.of("Note 1", new Type.Int(32)))),
          List.of(Row.of(1, 2)));
      Copying.of(
              memory, memory.endpoint("rows"), new JdbcConnector(), engine.end("table", "orders"))
          .run();
      try (Connection connection = engine.connect();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT id, \"Note 1\" FROM orders")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
      engine.end();
    }
  }
}
