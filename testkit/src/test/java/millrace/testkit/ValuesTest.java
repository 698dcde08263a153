package millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.fault.Location;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ValuesTest {

  private static final Schema PAIR =
      Schema.of(
          List.of(Column.of("day", new Type.Date()), Column.of("price", new Type.Decimal(9, 2))));

  @Property(tries = 200)
  void whatIsPutIntoVectorsComesOutAgain(@ForAll("typeAndValues") Sample sample) {
    Schema schema = Schema.of(List.of(Column.of("c", sample.type())));
    List<Row> rows = sample.values().stream().map(Row::of).toList();
    assertThat(Values.rows(filled(schema, rows))).isEqualTo(rows);
  }

  record Sample(Type type, List<Object> values) {}

  @Provide
  Arbitrary<Sample> typeAndValues() {
    return Arbitraries.of(TypeSamples.types())
        .flatMap(type ->
            TypeSamples.arbitrary(type)
                .list()
                .ofMaxSize(20)
                .map(values -> new Sample(type, values)));
  }

  @Test
  void everyKindOfTypeHasItsEdges() {
    HashSet<Class<?>> kinds = new HashSet<>();
    for (Type type : TypeSamples.types()) {
      kinds.add(type.getClass());
      assertThat(TypeSamples.edges(type)).as(type.label()).hasSizeGreaterThan(1);
      List<Object> all = new ArrayList<>(TypeSamples.edges(type));
      all.addAll(TypeSamples.specials(type));
      assertThat(all).as(type.label()).doesNotHaveDuplicates();
    }
    assertThat(kinds).isEqualTo(TypeSamples.kinds());
  }

  @Test
  void randomValuesKeepToTheirType() {
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      String text = (String) TypeSamples.random(new Type.Text(20), random);
      assertThat(text.codePointCount(0, text.length())).isLessThanOrEqualTo(20);
      assertThat((Long) TypeSamples.random(new Type.Int(16), random))
          .isBetween((long) Short.MIN_VALUE, (long) Short.MAX_VALUE);
      assertThat((Long) TypeSamples.random(new Type.Decimal(9, 2), random))
          .isBetween(-999_999_999L, 999_999_999L);
      assertThat((String) TypeSamples.random(new Type.Decimal(38, 10), random))
          .matches("-?[0-9]{1,28}\\.[0-9]{10}");
      double number = (Double) TypeSamples.random(new Type.Float(32), random);
      assertThat((double) (float) number).isEqualTo(number);
    }
  }

  @Test
  void differencesAreShownAsATable() {
    List<Row> expected = List.of(Row.of(0, 150), Row.of(-1, null), Row.of(5, 1));
    List<Row> found =
        List.of(
            Row.of(5, 1), Row.of(Temporals.INFINITY, Decimals.NAN), Row.of(0, 150), Row.of(0, 150));
    assertThatThrownBy(() -> RowCheck.sameRows(PAIR, expected, found))
        .hasMessage(
            """
            3 rows expected, 4 found
            1 missing:
              day date   | price decimal(9,2)
              1999-12-31 | null
            2 that should not be there:
              day date   | price decimal(9,2)
              infinity   | NaN
              2000-01-01 | 1.50
            """);
  }

  @Test
  void theOrderOfRowsMattersToBatchesAlone() {
    List<Row> rows = List.of(Row.of(0, 1), Row.of(2, 3));
    RowCheck.sameRows(PAIR, rows, rows.reversed());
    RowCheck.sameBatch(filled(PAIR, rows), filled(PAIR, rows));
    assertThatThrownBy(() -> RowCheck.sameBatch(filled(PAIR, rows), filled(PAIR, rows.reversed())))
        .hasMessageContaining("2000-01-03 | 0.03");
  }

  @Test
  void zeroAndMinusZeroAreTwoValuesAndNanIsItself() {
    assertThat(Row.of(0.0)).isNotEqualTo(Row.of(-0.0));
    assertThat(Row.of(Double.NaN)).isEqualTo(Row.of(Double.NaN));
  }

  @Test
  void textThatIsNoUtf8IsFoundOut() {
    Columns columns =
        Columns.standalone(Schema.of(List.of(Column.of("t", Type.Text.UNLIMITED))), 1);
    columns.bytes(0).append(0, new byte[] {(byte) 0xC3}, 0, 1);
    assertThatThrownBy(() -> Values.get(columns, 0, 0)).hasMessage("text that is no UTF-8: c3");
  }

  private static Columns filled(Schema schema, List<Row> rows) {
    Columns columns = Values.columns(schema, rows);
    columns.filled(rows.size(), 0, new Location("test", 0, 1, 0, -1), null);
    return columns;
  }
}
