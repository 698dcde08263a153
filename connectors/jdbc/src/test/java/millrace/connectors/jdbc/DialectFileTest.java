package millrace.connectors.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TypeTable;
import millrace.data.Type;
import millrace.testkit.TypeSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
