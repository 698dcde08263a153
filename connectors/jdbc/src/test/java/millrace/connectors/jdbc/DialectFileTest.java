package millrace.connectors.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Type;
import millrace.data.Type.Text.Unit;
import millrace.testkit.TypeSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The data files of products, also of those that no test has a server of.
class DialectFileTest {

  static Stream<String> names() {
    return DialectFile.names().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyDeclarationOfANewColumnIsReadAgain(String name) {
    DialectFile file = DialectFile.read(name);
    TypeTable types = new MeaningOfTypes(file).table(name);
    for (Type type : TypeSamples.types()) {
      String declared = types.ddl().apply(type);
      if (!declared.isEmpty()) {
        assertThat(declared).doesNotContain("%");
        assertThat(types.rowOf(declared)).as(declared).isLessThan(file.reads().size());
      }
    }
  }

  static Stream<Arguments> declarations() {
    return Stream.of(
        Arguments.of("sqlserver", new Type.Decimal(38, 9), "DECIMAL(38,9)"),
        Arguments.of("sqlserver", new Type.Decimal(38, 38), "DECIMAL(38,38)"),
        Arguments.of("sqlserver", new Type.Decimal(1, 0), "DECIMAL(1,0)"),
        Arguments.of("sqlserver", new Type.Decimal(39, 0), "NVARCHAR(MAX)"),
        Arguments.of("sqlserver", new Type.Decimal(5, -2), "NVARCHAR(MAX)"),
        Arguments.of("sqlserver", new Type.Decimal(5, 6), "NVARCHAR(MAX)"),
        Arguments.of("sqlserver", Type.Decimal.UNLIMITED, "NVARCHAR(MAX)"),
        Arguments.of("sqlserver", new Type.Timestamp(false), "DATETIME2(6)"),
        Arguments.of("sqlserver", new Type.Timestamp(true), "DATETIMEOFFSET(6)"),
        Arguments.of("sqlserver", new Type.Uuid(), "UNIQUEIDENTIFIER"),
        Arguments.of("sqlserver", new Type.Text(20), "NVARCHAR(40)"),
        Arguments.of("sqlserver", new Type.Text(20, Unit.UTF16), "NVARCHAR(20)"),
        Arguments.of("sqlserver", new Type.Text(20, Unit.BYTES), "NVARCHAR(20)"),
        Arguments.of("sqlserver", new Type.Text(2_000), "NVARCHAR(4000)"),
        Arguments.of("sqlserver", new Type.Text(2_001), "NVARCHAR(MAX)"),
        Arguments.of("sqlserver", Type.Text.UNLIMITED, "NVARCHAR(MAX)"),
        Arguments.of("db2", new Type.Uuid(), "VARCHAR(144)"),
        Arguments.of("db2", new Type.Text(20), "VARCHAR(80)"),
        Arguments.of("db2", new Type.Text(20, Unit.UTF16), "VARCHAR(60)"),
        Arguments.of("db2", new Type.Text(20, Unit.BYTES), "VARCHAR(20)"));
  }

  /// What the product counts texts in differs, and numbers that its decimals lack are text.
  @ParameterizedTest
  @MethodSource("declarations")
  void aNewColumnHasRoomForAllValuesOfItsType(String name, Type type, String declared) {
    TypeTable types = new MeaningOfTypes(DialectFile.read(name)).table(name);
    assertThat(types.ddl().apply(type)).isEqualTo(declared);
  }

  static Stream<Arguments> meanings() {
    return Stream.of(
        Arguments.of("sqlserver", "NVARCHAR(4000)", new Type.Text(4_000, Unit.UTF16)),
        Arguments.of("sqlserver", "NVARCHAR", Type.Text.UNLIMITED),
        Arguments.of("derby", "VARCHAR(32671)", new Type.Text(32_671, Unit.UTF16)),
        Arguments.of("derby", "VARCHAR(32672)", Type.Text.UNLIMITED),
        Arguments.of("db2", "VARCHAR(80)", new Type.Text(80, Unit.BYTES)),
        Arguments.of("sqlserver", "MONEY", new Type.Decimal(19, 4)),
        Arguments.of("sqlserver", "DECIMAL(9,2)", new Type.Decimal(9, 2)));
  }

  @ParameterizedTest
  @MethodSource("meanings")
  void aDeclarationHasTheLengthOfItsType(String name, String declared, Type type) {
    TypeTable types = new MeaningOfTypes(DialectFile.read(name)).table(name);
    assertThat(types.find(declared).type()).isEqualTo(type);
  }

  @ParameterizedTest
  @MethodSource("names")
  void statementsHavePlacesForTheirNames(String name) {
    Statements statements = DialectFile.read(name).statements();
    assertThat(statements.anyRow().formatted("t")).contains("t");
    if (!statements.reading().nextRow().isEmpty()) {
      assertThat(statements.reading().nextRow().formatted(7)).contains("7");
    }
    assertThat(statements.reading().limited().formatted("SELECT a", 7)).startsWith("SELECT a");
    if (!statements.tables().rename().isEmpty()) {
      assertThat(statements.tables().rename().formatted("old", "new")).contains("old", "new");
    }
    if (statements.merging().isPossible()) {
      assertThat(statements.merging().make().formatted("t", "SELECT 1")).contains("t", "SELECT 1");
    }
    List<String> savepoints =
        List.of(
            statements.savepoints().set(),
            statements.savepoints().release(),
            statements.savepoints().rollback());
    assertThat(savepoints)
        .allMatch(sql -> sql.isEmpty() || sql.equals("driver") || sql.formatted("s").contains("s"));
  }

  @Test
  void aFileSaysHowADriverIsKeptFromFetchingAllRows() {
    assertThat(DialectFile.read("sqlserver").statements().reading().fetchesAllOnClose()).isTrue();
    assertThat(DialectFile.read("h2").statements().reading().fetchesAllOnClose()).isFalse();
    assertThat(DialectFile.read("h2").statements().reading().limited()).isEqualTo("%s");
    assertThat(
            DialectFile.read("clickhouse")
                .statements()
                .reading()
                .limited()
                .formatted("SELECT a FROM t", 7))
        .isEqualTo("SELECT a FROM t LIMIT 7");
  }

  @Test
  void productsAreKnownByTheNamesThatTheirDriversGive() {
    assertThat(DialectFile.of("DB2/LINUXX8664").name()).isEqualTo("db2");
    assertThat(DialectFile.of("Microsoft SQL Server").name()).isEqualTo("sqlserver");
    assertThat(DialectFile.of("Some Other").name()).isEqualTo("standard");
  }

  @Test
  void aLineThatSaysNothingIsRefused() {
    for (String line : List.of("colour = blue", "writes", "writes = yes\nwrites = no")) {
      assertThatThrownBy(() -> DialectFile.parse("x", line))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nothing is known of the line");
    }
  }
}
