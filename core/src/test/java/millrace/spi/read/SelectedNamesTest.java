package millrace.spi.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;

class SelectedNamesTest {

  private static final List<String> KNOWN = List.of("id", "Name", "NAME", "Town");

  @Test
  void noNamesAreAllColumnsEvenIfTwoHaveOneName() {
    assertThat(Selection.positions("t", List.of(), List.of("a", "a"))).containsExactly(0, 1);
  }

  @Test
  void aNameIsFoundAsItIsOrElseInAnyCaseIfThatLeavesOne() {
    assertThat(Selection.positions("t", List.of("NAME", "town", "ID"), KNOWN))
        .containsExactly(2, 3, 0);
    assertThat(Selection.position("name", KNOWN)).isEqualTo(-1);
  }

  @Test
  void aNameThatIsNotThereIsNamedWithTheNearestAndAll() {
    assertThatThrownBy(() -> Selection.positions("t", List.of("id", "Towm"), KNOWN))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessage("t has no column 'Towm'.");
              assertThat(fault.advice())
                  .isEqualTo("Did you mean 'Town'? It has id, Name, NAME, Town.");
            });
  }
}
