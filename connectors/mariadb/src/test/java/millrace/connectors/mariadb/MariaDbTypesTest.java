package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.sql.types.StatementParameters;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import millrace.fault.Fault;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each type on a real server: read as the server itself says, and no value sent that the column
/// would change.
class MariaDbTypesTest {

  private static final Map<String, TestTables> TABLES = new HashMap<>();

  private static TestTables tables(String scheme) {
    return TABLES.computeIfAbsent(scheme, TestTables::new);
  }

  /// A declaration, its type, SQL literals and how their values are spelled.
  private static final Object[][] READ = {
    {"tinyint", "int16", "-128 127", "-128 127"},
    {"tinyint unsigned", "int16", "0 255", "0 255"},
    {"tinyint(1)", "int16", "1 -5", "1 -5"},
    {"smallint", "int16", "-32768 32767", "-32768 32767"},
    {"smallint unsigned", "int32", "0 65535", "0 65535"},
    {"mediumint", "int32", "-8388608 8388607", "-8388608 8388607"},
    {"mediumint unsigned", "int32", "16777215", "16777215"},
    {"int", "int32", "-2147483648 2147483647", "-2147483648 2147483647"},
    {"int unsigned", "int64", "4294967295", "4294967295"},
    {"int(5) zerofill", "int64", "7 4294967295", "7 4294967295"},
    {"bigint", "int64", "-9223372036854775808", "-9223372036854775808"},
    {"bigint unsigned", "decimal(20,0)", "0 18446744073709551615", "0 18446744073709551615"},
    {"decimal(10,2)", "decimal(10,2)", "-99999999.99 0.5", "-99999999.99 0.50"},
    {"decimal(65,30)", "decimal(65,30)", "1e-30", "0.000000000000000000000000000001"},
    {"float", "float32", "1.5 1.1 -3.4028234e38", "1.5 1.1 -3.4028235e+38"},
    {"double", "float64", "0.1 1.7976931348623157e308", "0.1 1.7976931348623157e+308"},
    {"bit(1)", "boolean", "b'0' b'1'", "false true"},
    {"bit(9)", "int16", "b'100000001'", "257"},
    {"bit(64)", "decimal(20,0)", "18446744073709551615", "18446744073709551615"},
    {"year", "int16", "1901 2155 '0000'", "1901 2155 0"},
    {"date", "date", "'1000-01-01' '9999-12-31'", "1000-01-01 9999-12-31"},
    {"datetime(6)", "timestamp", "'9999-12-31T23:59:59.999999'", "9999-12-31_23:59:59.999999"},
    {"datetime", "timestamp", "'2024-02-29T00:00:00'", "2024-02-29_00:00:00"},
    {"timestamp(3)", "timestamptz", "'2038-01-19T03:14:07.999'", "2038-01-19_03:14:07.999+00"},
    {"time(6)", "time", "'23:59:59.999999' '24:00:00'", "23:59:59.999999 24:00:00"},
    {"time(6)", "time", "'-26:30:00.5' '-00:00:00.000001'", "-26:30:00.5 -00:00:00.000001"},
    {"time", "time", "'838:59:59' '-838:59:59' '100:00:00'", "838:59:59 -838:59:59 100:00:00"},
    {"char(3)", "text(3)", "'abc' '€'", "abc €"},
    {"varchar(3) character set latin1", "text(3)", "'ä€ž'", "ä€ž"},
    {"varchar(9) character set utf8mb4", "text(9)", "'😀'", "😀"},
    {"varchar(9) character set utf16", "text(9)", "'😀ä'", "😀ä"},
    {"tinytext", "text(255 bytes)", "'ä'", "ä"},
    {"mediumtext character set latin1", "text(16777215)", "'ä'", "ä"},
    {"longtext", "text", "'x'", "x"},
    {"binary(2)", "bytes", "x'00ff'", "\\x00ff"},
    {"varbinary(4)", "bytes", "x'' x'27'", "\\x \\x27"},
    {"longblob", "bytes", "x'e4'", "\\xe4"},
    {"json", "json", "'[1]'", "[1]"},
    {"enum('a','it''s','(3)')", "text", "'it''s' '(3)'", "it's (3)"},
    {"set('a','b')", "text", "'a,b' ''", "a,b "},
    {"point", "bytes", "point(1,2)", "\\x0101000000000000000000f03f0000000000000040"},
  };

  static Stream<Arguments> declarations() {
    Object[][] mariaDb = {
      {
        "uuid",
        "uuid",
        "'123e4567-e89b-12d3-a456-426655440000'",
        "123e4567-e89b-12d3-a456-426655440000"
      },
      {"inet6", "text(45)", "'::1'", "::1"},
      {"inet4", "text(15)", "'10.0.0.1'", "10.0.0.1"},
    };
    return Stream.concat(
        Stream.of("mariadb", "mysql")
            .flatMap(scheme -> Stream.of(READ).map(each -> arguments(scheme, each))),
        Stream.of(mariaDb).map(each -> arguments("mariadb", each)));
  }

  private static Arguments arguments(String scheme, Object[] each) {
    return Arguments.of(scheme, each[0], each[1], each[2], each[3]);
  }

  @ParameterizedTest
  @MethodSource("declarations")
  void typeIsReadAsTheServerSays(
      String scheme, String declared, String type, String literals, String spelled) {
    TestTables tables = tables(scheme);
    tables.run(
        "DROP TABLE IF EXISTS r",
        "CREATE TABLE r (k int auto_increment primary key, c " + declared + ")");
    for (String literal : literals.split(" ", -1)) {
      tables.run("INSERT INTO r (c) VALUES (" + literal + ")");
    }
    tables.run("INSERT INTO r (c) VALUES (NULL)");
    tables.copying(tables.endpoint("query", "SELECT c FROM r ORDER BY k"), "c").run();
    List<String> byQuery = tables.texts();
    tables.copying(tables.endpoint("table", "r"), "k", "c").run();
    List<String> byTable =
        tables.memory.rows("back").stream().map(row -> String.valueOf(row.value(1))).toList();

    List<String> expected =
        Stream.concat(Stream.of(spelled.split(" ", -1)), Stream.of("null"))
            .map(text -> text.replace('_', ' '))
            .toList();
    assertThat(byTable).containsExactlyElementsOf(expected);
    assertThat(typeOf(tables, "r").label()).isEqualTo(type);
    if (!List.of("point", "json").contains(declared)) {
      assertThat(byQuery).containsExactlyElementsOf(expected);
    }
    compareBare(tables, declared, expected);
  }

  /// The server makes the same text of it, or the same bytes.
  private static void compareBare(TestTables tables, String declared, List<String> expected) {
    List<String> bare =
        declared.matches(".*(bit|year|float|double|point|zerofill).*")
            ? List.of()
            : declared.matches(".*(binary|blob).*")
                ? tables.bare("SELECT concat('\\\\x', lower(hex(c))) FROM r ORDER BY k")
                : tables.bare("SELECT CAST(c AS CHAR) FROM r ORDER BY k");
    if (!bare.isEmpty()) {
      assertThat(bare.stream().map(MariaDbTypesTest::withoutZeros).toList())
          .containsExactlyElementsOf(
              expected.stream().map(text -> text.replaceFirst("\\+00$", "")).toList());
    }
  }

  /// The server spells all digits of a second.
  private static String withoutZeros(@Nullable String text) {
    return String.valueOf(text).replaceFirst("(:\\d\\d\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
  }

  private static Type typeOf(TestTables tables, String table) {
    try (Source source =
        new MariaDbConnector(_ -> null)
            .source(tables.endpoint("table", table), Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description().schema().column(1).type();
    }
  }

  /// A declaration, a type, values that it keeps, and values that it would change.
  private static final Object[][] BOUNDS = {
    {"tinyint", new Type.Int(16), "-128 127", "-129 128"},
    {"tinyint unsigned", new Type.Int(16), "0 255", "-1 256"},
    {"mediumint unsigned", new Type.Int(32), "16777215", "16777216 -1"},
    {"int unsigned", new Type.Int(64), "4294967295", "4294967296"},
    {"bigint unsigned", new Type.Decimal(20, 0), "18446744073709551615", "18446744073709551616 -1"},
    {"bit(3)", new Type.Int(16), "7 0", "8 -1"},
    {"bit(64)", new Type.Decimal(20, 0), "18446744073709551615", "-1"},
    {"bit(1)", new Type.Bool(), "true false", ""},
    {"year(4)", new Type.Int(16), "1901 2155 0", "70 1900 2156"},
    {"float", new Type.Float(32), "1.1 -0 3.4028235e+38", "NaN Infinity"},
    {"double", new Type.Float(64), "0.1 -0 5e-324", "NaN -Infinity"},
    {"double(5,2)", new Type.Float(64), "999.99 0.5", "0.125 1000"},
    {"double(5,0)", new Type.Float(64), "99999 -3", "0.5 100000"},
    {"float(5,2)", new Type.Float(32), "0.1 999.99", "0.125 1000"},
    {"float", new Type.Float(64), "0.5", "0.1"},
    {"float unsigned", new Type.Float(32), "0.5 0", "-0.5"},
    {"decimal(5,2)", new Type.Decimal(5, 2), "999.99 -0.01", ""},
    {"decimal(5,2)", new Type.Decimal(0, 0), "1.50 999.99", "0.125 1000 NaN"},
    {"decimal(5,2) unsigned", new Type.Decimal(5, 2), "0.00", "-0.01"},
    {"date", new Type.Date(), "0001-01-01 9999-12-31", "infinity 0001-12-31_BC 10000-01-01"},
    {"datetime", new Type.Timestamp(false), "2024-01-01_00:00:01", "2024-01-01_00:00:00.5"},
    {
      "datetime(6)",
      new Type.Timestamp(false),
      "0001-01-01_00:00:00.000001 9999-12-31_23:59:59.999999",
      "infinity 10000-01-01_00:00:00 0001-12-31_23:59:59.999999_BC"
    },
    {
      "timestamp(6)",
      new Type.Timestamp(true),
      "1970-01-01_00:00:01+00 2038-01-19_03:14:07.999999+00",
      "1970-01-01_00:00:00+00 2038-01-19_03:14:08+00"
    },
    {"time(3)", new Type.Time(), "24:00:00 00:00:00.001", "00:00:00.0001"},
    {"time(3)", new Type.Time(true), "-26:30:00.001 -00:00:01", "-00:00:00.0001"},
    {
      "time(6)",
      new Type.Time(true),
      "838:59:59 -838:59:59 838:59:58.999999",
      "838:59:59.000001 -838:59:59.000001 839:00:00"
    },
    {"char(3)", Type.Text.UNLIMITED, "abc äöü ", "abc_ a_ _ abcd"},
    {"varchar(2) character set utf8", Type.Text.UNLIMITED, "ab €€ a_ \uFFFF", "😀 abc"},
    {"varchar(4) character set latin1", Type.Text.UNLIMITED, "äé€ž \u0081Ÿ\u00A0ÿ", "ā 😀 \u0080"},
    {"tinytext", Type.Text.UNLIMITED, "a".repeat(255), "a".repeat(256) + " " + "ä".repeat(128)},
    {"text", Type.Text.UNLIMITED, "a".repeat(65_535), "ä".repeat(32_768)},
    {"varchar(4) character set ascii", Type.Text.UNLIMITED, "abc", "ä"},
    {"enum('a','b')", Type.Text.UNLIMITED, "a b", "1 A c"},
    {"set('a','b')", Type.Text.UNLIMITED, "a a,b", "b,a a,a c 1"},
    {"binary(2)", new Type.Bytes(), "\\x0102", "\\x01 \\x010203"},
    {"varbinary(2)", new Type.Bytes(), "\\x01 \\x0100", "\\x010203"},
    {
      "geometry",
      new Type.Bytes(),
      "\\x0101000020e61000000000000000000040000000000000f03f",
      "\\x00 \\x01"
    },
  };

  static Stream<Arguments> bounds() {
    return Stream.of("mariadb", "mysql")
        .flatMap(scheme -> Stream.of(BOUNDS).map(each -> arguments(scheme, each)));
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void columnKeepsWhatIsSentToIt(
      String scheme, String declared, Type type, String kept, String refused) throws SQLException {
    TestTables tables = tables(scheme);
    tables.run("DROP TABLE IF EXISTS b", "CREATE TABLE b (k int primary key, c " + declared + ")");
    TypeTable types = MariaDbTypes.of(ServerTraits.of(tables.server.version(), 0));
    TypeTable.Cell cell = types.find(declared).cell();
    String[] values = kept.split(" ", -1);
    try (Connection connection =
            new MariaDbConnections(tables.endpoint("table", "b"), _ -> null).open(true);
        PreparedStatement insert = connection.prepareStatement("INSERT INTO b VALUES (?, ?)")) {
      for (int i = 0; i < values.length; i++) {
        insert.setInt(1, i);
        assertThat(
                cell.setter()
                    .apply(type)
                    .set(StatementParameters.of(insert), 2, vector(type, values[i]), 1))
            .as("value %d", i)
            .isNull();
        insert.execute();
      }
      for (String value : refused.isEmpty() ? new String[0] : refused.split(" ", -1)) {
        Vector vector = vector(type, value);
        assertThat(cell.setter().apply(type).set(StatementParameters.of(insert), 2, vector, 1))
            .as(value)
            .isNotBlank();
      }
    }
    tables.copying(tables.endpoint("table", "b"), "k", "c").run();
    assertThat(
            tables.memory.rows("back").stream().map(row -> String.valueOf(row.value(1))).toList())
        .containsExactly(
            Stream.of(values).map(text -> text.replace('_', ' ')).toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "year | 70 | is outside the column's range",
        "int unsigned | -1 | is outside the column's range",
        "bigint unsigned | NaN | is no number to the database",
        "decimal(5,2) | NaN | is no number to the database",
        "decimal(5,2) | 0.125 | would lose digits",
        "decimal(5,2) | 1000 | is outside the column's range",
        "float | NaN | is no number to the database",
        "float | 0.1 | would lose digits",
        "double(5,2) | 0.125 | would lose digits",
        "float unsigned | -0.5 | is outside the column's range",
        "datetime | 2024-01-01 00:00:00.5 | would lose digits of a second",
        "tinytext | 256 | is longer than the column's 255 bytes",
        "text | 65536 | is longer than the column's 65535 bytes",
        "mediumtext | 16777216 | is longer than the column's 16777215 bytes",
        "mediumblob | 16777216 | is longer than the column's 16777215 bytes",
        "char(3) | \"a \" | would lose the spaces at its end",
        "char(3) | abcd | is longer than the column's 3 characters",
        "char(3) character set latin1 | ā | the column's character set latin1 lacks",
        "enum('a','b') | c | is none of the column's words",
        "set('a','b') | c | has a word that the column does not have",
        "set('a','b') | b,a | has the column's words in another order",
        "binary(2) | 1 | would be filled up to 2 bytes",
        "varbinary(2) | 3 | is longer than the column's 2 bytes",
        "geometry | 4 | is no geometry in little-endian WKB"
      })
  void whyAColumnDoesNotKeepAValueIsTold(String declared, String value, String reason)
      throws SQLException {
    TypeTable.MappedType found =
        MariaDbTypes.of(ServerTraits.of("11.4.5-MariaDB", 0)).find(declared);
    // Of the source, which may have more than the column does.
    Type type =
        switch (found.type()) {
          case Type.Decimal _ -> Type.Decimal.UNLIMITED;
          case Type.Float _ -> new Type.Float(64);
          case Type.Text _ -> Type.Text.UNLIMITED;
          case Type same -> same;
        };
    // A number stands for so many bytes, or for a text of so many.
    String spelled =
        type instanceof Type.Bytes
            ? "\\x" + "01".repeat(Integer.parseInt(value))
            : declared.endsWith("text") ? "a".repeat(Integer.parseInt(value)) : value;
    assertThat(
            found.cell().setter().apply(type).set(new LoadDataText(), 1, vector(type, spelled), 1))
        .contains(reason);
  }

  /// What begins like a geometry and ends too early is not made another.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aGeometryThatEndsTooEarlyIsABadRecord(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE g (c geometry)");
    for (String bytes : List.of("\\x0101000020", "\\x0101000020e6100000", "\\x0101000000")) {
      tables.memory.put(
          "rows", Schema.of(List.of(Column.of("c", Type.Text.UNLIMITED))), List.of(Row.of(bytes)));
      Copying copying =
          Copying.of(
                  tables.memory,
                  tables.memory.endpoint("rows"),
                  new MariaDbConnector(_ -> null),
                  tables.endpoint("table", "g"))
              .mode(Mode.APPEND);
      assertThatThrownBy(copying::run).as(bytes).isInstanceOf(Fault.Data.class);
    }
    assertThat(tables.bare("SELECT count(*) FROM g")).containsExactly("0");
  }

  /// A whole number of the source may be a decimal there: what stands behind the point is no part
  /// of it.
  @ParameterizedTest
  @CsvSource({
    "mariadb,bigint unsigned",
    "mysql,bigint unsigned",
    "mariadb,bit(64)",
    "mysql,bit(64)"
  })
  void aFractionIsABadRecordForAWholeNumber(String scheme, String declared) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE w (c " + declared + ")");
    for (boolean inTenths : new boolean[] {true, false}) {
      Type type = inTenths ? new Type.Decimal(9, 1) : Type.Decimal.UNLIMITED;
      tables.memory.put(
          "rows",
          Schema.of(List.of(Column.of("c", type))),
          List.of(inTenths ? Row.of(15) : Row.of("1.5")));
      Copying copying =
          Copying.of(
                  tables.memory,
                  tables.memory.endpoint("rows"),
                  new MariaDbConnector(_ -> null),
                  tables.endpoint("table", "w"))
              .mode(Mode.APPEND);
      assertThatThrownBy(copying::run).isInstanceOf(Fault.Data.class);
    }
    assertThat(tables.bare("SELECT count(*) FROM w")).containsExactly("0");
  }

  /// Has the value twice, so that the second does not stand at the beginning of its bytes.
  private static Vector vector(Type type, String spelled) {
    byte[] bytes = spelled.replace('_', ' ').getBytes(StandardCharsets.UTF_8);
    Vector vector = Vector.of(type, 2);
    ValueParser parser = Spelling.parser(type, SpellingStyle.ISO);
    for (int at = 0; at < 2; at++) {
      assertThat(parser.parse(bytes, 0, bytes.length, vector, at)).isTrue();
    }
    return vector;
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void newColumnsComeBackAsWhatTheyWere(String scheme) {
    TestTables tables = tables(scheme);
    TypeTable types = MariaDbTypes.of(ServerTraits.of(tables.server.version(), 0));
    for (Type type :
        List.of(
            new Type.Bool(),
            new Type.Int(16),
            new Type.Int(32),
            new Type.Int(64),
            new Type.Float(32),
            new Type.Float(64),
            new Type.Decimal(38, 9),
            new Type.Date(),
            new Type.Time(true),
            new Type.Timestamp(false),
            new Type.Timestamp(true),
            new Type.Json(),
            new Type.Bytes(),
            new Type.Text(20),
            Type.Text.UNLIMITED)) {
      tables.run(
          "DROP TABLE IF EXISTS n",
          "CREATE TABLE n (k int primary key, c " + types.ddl().apply(type) + ")");
      assertThat(typeOf(tables, "n")).isEqualTo(type);
      tables.run(
          "DROP TABLE n",
          "CREATE TABLE n (k int primary key, c " + types.ddl().apply(type) + " NOT NULL)");
    }
  }

  /// What is declared BOOLEAN is a number of one digit to the server.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void whatIsDeclaredBooleanIsTruthIfTheTargetWantsIt(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE t (v BOOLEAN)", "INSERT INTO t VALUES (TRUE), (FALSE), (NULL)");
    assertThat(truths(tables)).containsExactlyInAnyOrder("1", "0", "null");
    tables.run("INSERT INTO t VALUES (7)");
    assertThatThrownBy(() -> truths(tables))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("7");
  }

  /// It goes by the column of its own name, wherever that stands, or by the one in its place.
  @ParameterizedTest
  @CsvSource({"mariadb,false", "mariadb,true", "mysql,false", "mysql,true"})
  void whatIsTruthGoesByThePartnerOfEachColumn(String scheme, boolean byPosition) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE t (v BOOLEAN, n BOOLEAN)", "INSERT INTO t VALUES (TRUE, 7)");
    Column truth = Column.of(byPosition ? "n" : "v", new Type.Bool());
    Column number = Column.of(byPosition ? "v" : "n", new Type.Int(16));
    tables.memory.put(
        "back", Schema.of(byPosition ? List.of(truth, number) : List.of(number, truth)), List.of());
    Copying.of(
            new MariaDbConnector(_ -> null),
            tables.endpoint("table", "t"),
            tables.memory,
            tables.memory.endpoint("back"))
        .landing(new WriteOptions(Mode.APPEND, false, List.of(), byPosition))
        .run();
    assertThat(tables.memory.rows("back"))
        .containsExactly(byPosition ? Row.of(1, 7) : Row.of(7, 1));
  }

  private static List<String> truths(TestTables tables) {
    tables.memory.put("back", Schema.of(List.of(Column.of("v", new Type.Bool()))), List.of());
    Copying.of(
            new MariaDbConnector(_ -> null),
            tables.endpoint("table", "t"),
            tables.memory,
            tables.memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return tables.texts();
  }
}
