package millrace.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Type.Opaque.Marks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lists are the same if their elements are, however their system spells them.
class NestedHashTest {

  private static final Type TEXT = Type.Text.UNLIMITED;
  private static final Type WHOLE = new Type.Int(32);

  private static long hash(Type type, Type as, String text) {
    Columns one = Columns.standalone(Schema.of(List.of(Column.of("v", type))), 1);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    one.bytes(0).append(0, bytes, 0, bytes.length);
    return new RowHash(type, as).value(one, 0, 0);
  }

  private static Type element(String name) {
    return switch (name) {
      case "int" -> WHOLE;
      case "bool" -> new Type.Bool();
      case "float" -> new Type.Float(64);
      case "decimal" -> new Type.Decimal(9, 2);
      default -> TEXT;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "int     | {1,NULL,2}         | [1, NULL, 2]           | true",
        "int     | {}                 | []                     | true",
        "int     | {1,2}              | [2, 1]                 | false",
        "int     | {1,2}              | [12]                   | false",
        "int     | {1}                | [1, NULL]              | false",
        "text    | {\"a,b\",\"NULL\"} | ['a,b', 'NULL']        | true",
        "text    | {NULL}             | ['NULL']               | false",
        "text    | {\"q\\\"\\\\x\"}   | ['q\"\\\\x']           | true",
        "bool    | {t,f}              | [true, false]          | true",
        "float   | {1e300,NaN,-0}     | [1e+300, nan, -0.0]    | true",
        "float   | {Infinity}         | [inf]                  | true",
        "decimal | {1.50}             | [1.5]                  | true",
        "int     | {{1},{2}}          | [1, 2]                 | false",
      })
  void theirElementsAreCompared(String element, String there, String here, boolean same) {
    Type one = Type.Opaque.listOf(element(element), Marks.BRACES);
    Type other = Type.Opaque.listOf(element(element), Marks.BRACKETS);
    Type as = RowHash.comparedAs(one, other);
    assertThat(hash(one, as, there) == hash(other, as, here)).isEqualTo(same);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{1,2}", "{}", "{{1},{2}}"})
  void besideTextAListIsItsText(String text) {
    Type list = Type.Opaque.listOf(WHOLE, Marks.BRACES);
    for (Type as : List.of(RowHash.comparedAs(list, TEXT), RowHash.comparedAs(TEXT, list))) {
      assertThat(hash(list, as, text)).isEqualTo(hash(TEXT, as, text));
    }
  }
}
