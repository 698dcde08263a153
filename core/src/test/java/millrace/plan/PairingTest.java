package millrace.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.TargetColumn;
import org.junit.jupiter.api.Test;

class PairingTest {

  private static final Type ANY = new Type.Int(64);

  private static Schema incoming(String... names) {
    return Schema.of(Stream.of(names).map(name -> Column.of(name, ANY)).toList());
  }

  private static TargetColumn column(String name) {
    return TargetColumn.of(Column.of(name, ANY), false);
  }

  private static TargetColumn required(String name, boolean hasDefault) {
    return new TargetColumn(name, ANY, null, false, hasDefault, "");
  }

  private static TargetColumn generated(String name) {
    return new TargetColumn(name, ANY, null, false, false, "computed");
  }

  private static List<String> paired(Schema incoming, boolean byPosition, TargetColumn... columns) {
    return Pairing.of("t", incoming, List.of(columns), byPosition, true).partners().stream()
        .map(TargetColumn::name)
        .toList();
  }

  @Test
  void aNameGoesToTheSameNameOrElseToTheOnlyOneThatDiffersInCase() {
    assertThat(paired(incoming("b", "A"), false, column("a"), column("A"), column("B")))
        .containsExactly("B", "A");
    assertRefused(
        "t has no column ID, which the source has. Did you mean 'id'?",
        () -> paired(incoming("ID"), false, column("id"), column("Id")));
  }

  @Test
  void twoColumnsNeverGoIntoOne() {
    assertRefused(
        "Two columns of the source go into column a of t.",
        () -> paired(incoming("a", "A"), false, column("a")));
  }

  @Test
  void byPositionColumnsThatTheTargetMakesItselfArePassedOver() {
    assertThat(paired(incoming("x", "y"), true, generated("g"), column("a"), column("b")))
        .containsExactly("a", "b");
    assertRefused(
        "The source has 3 columns, and t only 2.",
        () -> paired(incoming("x", "y", "z"), true, column("a"), column("b")));
  }

  @Test
  void whatNothingComesForGetsItsDefaultOrIsRefused() {
    Pairing pairing =
        Pairing.of(
            "t",
            incoming("a"),
            List.of(column("a"), column("b"), required("c", true), generated("g")),
            false,
            true);
    assertThat(pairing.notes())
        .containsExactly(
            "the source has nothing for columns b, c: new rows get the default there, a trigger's"
                + " value, or null");
    assertRefused(
        "The source has nothing for column c of t, which must not be null and has no default.",
        () -> paired(incoming("a"), false, column("a"), required("c", false)));
  }

  @Test
  void valuesForAColumnThatTheTargetMakesAreLeftOut() {
    TargetColumn[] columns = {column("a"), generated("g"), column("b")};
    Pairing pairing = Pairing.of("t", incoming("G", "b", "a"), List.of(columns), false, true);
    assertThat(pairing.taken()).containsExactly(1, 2);
    assertThat(pairing.partners()).extracting(TargetColumn::name).containsExactly("b", "a");
    assertThat(pairing.notes())
        .containsExactly(
            "the target itself makes the values of column g (computed): the source's are left"
                + " out");
    assertThat(Pairing.of("t", incoming("x", "y", "z"), List.of(columns), true, true).taken())
        .containsExactly(0, 2);
    assertRefused(
        "No column of the source can be written to t.",
        () -> paired(incoming("g"), false, columns));
  }

  @Test
  void namesThatANewTableCantTellApartAreRefused() {
    assertRefused(
        "t: two columns are named \"A\", and case does not count.",
        () -> Pairing.checkApart("t", incoming("a", "b", "A")));
  }

  private static void assertRefused(String message, Runnable pairing) {
    assertThatThrownBy(pairing::run).isInstanceOf(Fault.User.class).hasMessage(message);
  }
}
