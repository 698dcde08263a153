package millrace.testkit.oracle;

import static millrace.testkit.oracle.OracleStandIn.execute;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicInteger;
import oracle.jdbc.OraclePreparedStatement;
import oracle.sql.INTERVALDS;
import oracle.sql.INTERVALYM;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Values of each type go into a table by a bind, and come out of it again.
@Tag("stand-in")
class OracleStandInTypesTest {

  private static final OracleServer SERVER = OracleServer.start();
  private static final AtomicInteger TABLES = new AtomicInteger();
  private final Connection connection;

  OracleStandInTypesTest() throws SQLException {
    connection = OracleStandIn.connect(SERVER);
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @AfterEach
  void end() throws SQLException {
    connection.close();
  }

  private interface Setter {
    void set(PreparedStatement statement) throws SQLException;
  }

  private interface Getter {
    Object get(ResultSet row) throws SQLException;
  }

  /// What comes back of a value that was put into a column of a type.
  private Object back(String type, Setter setter, Getter getter) throws SQLException {
    String table = "t" + TABLES.incrementAndGet();
    execute(connection, "CREATE TABLE " + table + " (v " + type + ")");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
      setter.set(insert);
      insert.executeUpdate();
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
      assertThat(rows.next()).isTrue();
      return getter.get(rows);
    }
  }

  private BigDecimal number(String type, Setter setter) throws SQLException {
    return (BigDecimal) back(type, setter, r -> r.getBigDecimal(1));
  }

  /// The driver sends long texts behind the other values of their row, whatever their place.
  @ParameterizedTest
  @ValueSource(ints = {100, 8_191, 8_192, 32_766, 32_767, 100_000})
  void aLongTextMayStandBeforeOtherBinds(int length) throws SQLException {
    String table = "t" + TABLES.incrementAndGet();
    execute(
        connection,
        "CREATE TABLE " + table + " (k VARCHAR2(10), v CLOB)",
        "INSERT INTO " + table + " VALUES ('key', 'short')");
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE " + table + " SET v = ? WHERE k = ?")) {
      update.setString(1, "x".repeat(length));
      update.setString(2, "key");
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT v FROM " + table)) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).hasSize(length);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NUMBER, 0",
    "NUMBER, -1",
    "NUMBER, 12345678901234567890123456789012345678",
    "NUMBER, -0.000000000123",
    "NUMBER, 1E125",
    "NUMBER, -99.01",
    "'NUMBER(9,2)', 1234567.89",
    "'NUMBER(3,5)', 0.00123",
    "'NUMBER(38)', 99999999999999999999999999999999999999",
    "FLOAT, 1.5",
    "INTEGER, 100"
  })
  void numbers(String type, BigDecimal value) throws SQLException {
    assertThat(number(type, s -> s.setBigDecimal(1, value))).isEqualByComparingTo(value);
  }

  @Test
  void numbersAreRoundedToTheirScale() throws SQLException {
    assertThat(number("NUMBER(5,-2)", s -> s.setInt(1, 12_351))).isEqualByComparingTo("12400");
    assertThat(number("NUMBER(5,1)", s -> s.setDouble(1, -1.25))).isEqualByComparingTo("-1.3");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -2.5, 1e300, Double.MIN_VALUE, Double.POSITIVE_INFINITY})
  void binaryFloats(double value) throws SQLException {
    assertThat(
            back(
                "BINARY_DOUBLE",
                s -> s.unwrap(OraclePreparedStatement.class).setBinaryDouble(1, value),
                r -> r.getDouble(1)))
        .isEqualTo(value);
    assertThat(
            back(
                "BINARY_FLOAT",
                s -> s.unwrap(OraclePreparedStatement.class).setBinaryFloat(1, (float) value),
                r -> r.getFloat(1)))
        .isEqualTo((float) value);
  }

  @Test
  void texts() throws SQLException {
    assertThat(back("VARCHAR2(40)", s -> s.setString(1, "grün€😀"), r -> r.getString(1)))
        .isEqualTo("grün€😀");
    assertThat(
            back(
                "VARCHAR2(4000)",
                s -> s.setString(1, "x".repeat(4000)),
                r -> r.getString(1).length()))
        .isEqualTo(4000);
    assertThat(back("NVARCHAR2(20)", s -> s.setNString(1, "grün€"), r -> r.getString(1)))
        .isEqualTo("grün€");
    assertThat(back("CHAR(6)", s -> s.setString(1, "ab"), r -> r.getString(1))).isEqualTo("ab    ");
    assertThat(back("CHAR(6)", s -> s.setString(1, "äb"), r -> r.getString(1))).isEqualTo("äb   ");
    assertThat(back("NCHAR(4)", s -> s.setNString(1, "ä"), r -> r.getString(1))).isEqualTo("ä   ");
    assertThat(back("LONG", s -> s.setString(1, "long text"), r -> r.getString(1)))
        .isEqualTo("long text");
  }

  @Test
  void times() throws SQLException {
    LocalDateTime precise = LocalDateTime.parse("2026-03-04T05:06:07.123456");
    LocalDateTime whole = LocalDateTime.parse("2026-03-04T05:06:07");
    assertThat(back("DATE", s -> s.setObject(1, precise), r -> r.getObject(1, LocalDateTime.class)))
        .isEqualTo(whole);
    assertThat(
            back(
                "TIMESTAMP",
                s -> s.setObject(1, precise),
                r -> r.getObject(1, LocalDateTime.class)))
        .isEqualTo(precise);
    LocalDateTime old = LocalDateTime.parse("0099-12-31T23:59:59");
    assertThat(back("DATE", s -> s.setObject(1, old), r -> r.getObject(1, LocalDateTime.class)))
        .isEqualTo(old);
    OffsetDateTime zoned = OffsetDateTime.parse("2026-03-04T05:06:07.123456-05:30");
    assertThat(
            back(
                "TIMESTAMP(6) WITH TIME ZONE",
                s -> s.setObject(1, zoned),
                r -> r.getObject(1, OffsetDateTime.class)))
        .isEqualTo(zoned);
    assertThat(
            back(
                "TIMESTAMP(6) WITH LOCAL TIME ZONE",
                s -> s.setObject(1, zoned),
                r -> r.getObject(1, OffsetDateTime.class).toInstant()))
        .isEqualTo(zoned.toInstant());
  }

  @Test
  void intervals() throws SQLException {
    assertThat(
            back(
                "INTERVAL YEAR(4) TO MONTH",
                s -> s.setObject(1, new INTERVALYM("-12-3")),
                r -> r.getString(1)))
        .isEqualTo("-12-3");
    assertThat(
            back(
                "INTERVAL DAY(3) TO SECOND(3)",
                s -> s.setObject(1, new INTERVALDS("100 2:3:4.5")),
                r -> r.getString(1)))
        .isEqualTo("100 2:3:4.5");
  }

  @Test
  void bytesAndTheRest() throws SQLException {
    byte[] bytes = {0, 1, -1};
    assertThat(back("RAW(10)", s -> s.setBytes(1, bytes), r -> r.getBytes(1))).isEqualTo(bytes);
    assertThat(back("BOOLEAN", s -> s.setBoolean(1, true), r -> r.getBoolean(1))).isEqualTo(true);
    assertThat(back("BOOLEAN", s -> s.setBoolean(1, false), r -> r.getBoolean(1))).isEqualTo(false);
    assertThat(back("ROWID", s -> s.setString(1, "AAAR3sAAEAAAACXAAA"), r -> r.getString(1)))
        .isEqualTo("AAAR3sAAEAAAACXAAA");
    assertThat(
            back(
                "JSON",
                s -> s.setObject(1, "{\"a\":1}", oracle.jdbc.OracleTypes.JSON),
                r -> r.getString(1)))
        .isEqualTo("{\"a\":1}");
  }

  @ParameterizedTest
  @CsvSource({
    "NUMBER, 2",
    "VARCHAR2(5), 12",
    "DATE, 93",
    "TIMESTAMP, 93",
    "RAW(5), -3",
    "BINARY_DOUBLE, 101",
    "CLOB, 12",
    "BLOB, -3",
    "NCHAR(5), 12"
  })
  void nulls(String type, int sqlType) throws SQLException {
    assertThat(back(type, s -> s.setNull(1, sqlType), r -> String.valueOf(r.getObject(1))))
        .isEqualTo("null");
  }

  @Test
  void aDescribeTellsWhatTheDdlSaid() throws SQLException {
    execute(
        connection,
        "CREATE TABLE described (a NUMBER(9,2), b VARCHAR2(10 CHAR), c TIMESTAMP(3), d CLOB,"
            + " e FLOAT(10), f NVARCHAR2(7), g NUMBER NOT NULL)");
    try (PreparedStatement select = connection.prepareStatement("SELECT * FROM described")) {
      ResultSetMetaData meta = select.getMetaData();
      assertThat(meta.getPrecision(1)).isEqualTo(9);
      assertThat(meta.getScale(1)).isEqualTo(2);
      assertThat(meta.getPrecision(2)).isEqualTo(10);
      assertThat(meta.getScale(3)).isEqualTo(3);
      assertThat(meta.getColumnType(4)).isEqualTo(Types.CLOB);
      assertThat(meta.getColumnTypeName(6)).isEqualTo("NVARCHAR2");
      assertThat(meta.isNullable(1)).isEqualTo(ResultSetMetaData.columnNullable);
      assertThat(meta.isNullable(7)).isEqualTo(ResultSetMetaData.columnNoNulls);
    }
  }
}
