package millrace.connectors.postgres.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.write.CopyRejectBisector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// A row, its column and its value are named in whatever language the server speaks.
class CopyLineTest {

  private static final QualifiedName TABLE = new QualifiedName("public", "t1", true);
  private static final List<String> COLUMNS = List.of("column", "a", "a b", "x, y: z");

  private static CopyLine line(String context) {
    CopyLine line = CopyLine.of(context, TABLE);
    assertThat(line).as(context).isNotNull();
    return line == null ? new CopyLine(0, "") : line;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "COPY t1, line 5, column a: \"v: 7\"|\"v: 7\"",
        "COPY t1, line 5, column a: null input|null input",
        "COPY t1, Zeile 5, Spalte a: »v«|»v«",
        "COPY t1, línea 5, columna a: «v»|«v»",
        "COPY t1, ligne 5, colonne a : « v »|« v »",
        "COPY t1, строка 5, столбец a: \"v\"|\"v\"",
        "COPY t1, ხაზი 5, სვეტი a: \"v\"|\"v\"",
        "t1のCOPY、行 5、列 a: \"v\"|\"v\"",
        "t1のCOPY、行 5、列 a: null が入力されました|null が入力されました",
        "t1 복사, 5번째 줄, a 열: \"v\"|\"v\"",
        "COPY t1, 5행, a 열: null 입력|null 입력",
        "COPY t1, satır 5, a sütunu: \"v\"|\"v\"",
        "COPY t1, 行 5, 列 a: \"v\"|\"v\"",
      })
  void rowColumnAndValueAreFoundInEveryLanguage(String context, String value) {
    CopyLine line = line("PL/pgSQL function f() line 3 at RAISE\n" + context);
    assertThat(line.number()).isEqualTo(5);
    assertThat(line.column(COLUMNS)).isEqualTo("a");
    assertThat(line.value("a")).isEqualTo(value);
    assertThat(CopyLine.isInColumn(context)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY t1, line 5: \"1,a\"",
        "COPY t1, Zeile 5: »1,a«",
        "t1のCOPY、行 5: \"1,a\"",
        "t1 복사, 5번째 줄: \"1,a\"",
        "COPY t1, line 5",
        "COPY t1, ligne 5 : « 1,a »",
      })
  void aRowWithoutAColumnIsFoundAlone(String context) {
    assertThat(line(context).number()).isEqualTo(5);
    assertThat(line(context).column(COLUMNS)).isEmpty();
    assertThat(CopyLine.isIn(context)).isTrue();
    assertThat(CopyLine.isInColumn(context)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"column", "a b", "x, y: z"})
  void oddNamesOfColumnsAreFound(String column) {
    for (String context :
        List.of(
            "COPY t1, line 5, column " + column + ": \"v\"",
            "t1のCOPY、行 5、列 " + column + ": \"v\"",
            "t1 복사, 5번째 줄, " + column + " 열: \"v\"")) {
      assertThat(line(context).column(COLUMNS)).as(context).isEqualTo(column);
      assertThat(line(context).value(column)).as(context).isEqualTo("\"v\"");
    }
  }

  @Test
  void aValueOfSeveralLinesIsWhole() {
    String context = "COPY t1, line 5, column a: \"v\nCOPY t1, line 6, column a\"";
    assertThat(line(context).number()).isEqualTo(5);
    assertThat(line(context).value("a")).isEqualTo("\"v\nCOPY t1, line 6, column a\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY t12, line 5",
        "COPY t1",
        "t12のCOPY、行 5",
        "SQL statement \"INSERT INTO t1, line 5\"",
      })
  void anotherTableIsNot(String context) {
    assertThat(CopyLine.of(context, TABLE)).isNull();
  }

  @Test
  void aFunctionIsNoCopy() {
    String context = "PL/pgSQL function f(integer, int4, text) line 3 at RAISE, or so";
    assertThat(CopyLine.isIn(context)).isFalse();
    assertThat(CopyLine.isInColumn(context)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "42P01, 't1のCOPY、行 2、列 a: \"nosuch\"'",
    "54000, 'COPY t1, Zeile 2'",
    "54000, 'COPY t1, line 2, column a: \"…\"'",
  })
  void whatIsWrongWithARowIsABadRecord(String state, String context) {
    ServerErrorMessage said =
        new ServerErrorMessage("SERROR\0C" + state + "\0Mx\0W" + context + "\0");
    assertThat(CopyRejectBisector.isAboutRows(new PSQLException(said))).isTrue();
  }
}
