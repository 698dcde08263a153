package millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

  private static final List<String> KNOWN = List.of("delimiter", "quote", "escape", "null-string");

  @Test
  void aMisspelledNameIsRecognised() {
    assertThat(Nearest.hint("delimeter", KNOWN)).isEqualTo("Did you mean 'delimiter'?");
    assertThat(Nearest.hint("nullstring", KNOWN)).isEqualTo("Did you mean 'null-string'?");
    assertThat(Nearest.hint("QUOTE", KNOWN)).isEqualTo("Did you mean 'quote'?");
    assertThat(Nearest.hint("quot", KNOWN)).isEqualTo("Did you mean 'quote'?");
  }

  @Test
  void aNameLikeNoOtherGetsNoGuess() {
    assertThat(Nearest.hint("password", KNOWN)).isEmpty();
    assertThat(Nearest.hint("", KNOWN)).isEmpty();
    assertThat(Nearest.hint("quote", List.of())).isEmpty();
  }

  @Test
  void aNameThatWasGivenUpIsToldAsTheOneThatTookItsPlace() {
    assertThat(Nearest.hint("dialect", List.of("format"))).isEqualTo("Did you mean 'format'?");
    assertThat(Nearest.hint("--dialect", List.of("--format")))
        .isEqualTo("Did you mean '--format'?");
    assertThat(Nearest.hint("dialect", KNOWN)).isEmpty();
    assertThat(Nearest.hint("format", List.of("dialect"))).isEmpty();
  }
}
