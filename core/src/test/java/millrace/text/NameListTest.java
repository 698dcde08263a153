package millrace.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lists of names as a user types them.
class NameListTest {

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      quoteCharacter = '\0',
      value = {
        "a -> a",
        "a, b -> a|b",
        "a b,c:d -> a b|c:d",
        "\"a,b\",c -> a,b|c",
        "c , \" a,b\" -> c| a,b",
        "\"say \"\"hi\"\"\",c -> say \"hi\"|c",
        "5\" screen,c -> 5\" screen|c",
        "round(a,2),c -> round(a,2)|c",
        "a),b -> a)|b",
        "\"a(\",b -> a(|b",
      })
  void namesAreCutAtCommasOutsideOfQuotes(String text, String names) {
    assertThat(NameList.parse("--select", text)).isEqualTo(List.of(names.split("\\|", -1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      quoteCharacter = '\0',
      value = {
        "a,,b -> holds an empty name",
        "a, -> holds an empty name",
        "a,\"\" -> holds an empty name",
        "a,\"b -> has a quote that is never closed",
        "\"a\"b,c -> has 'b' behind a closing quote",
      })
  void whatIsNoListOfNamesIsRefused(String text, String message) {
    assertThatThrownBy(() -> NameList.parse("--select", text))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("--select '" + text + "' " + message);
  }

  @Test
  void whatIsSpelledIsReadAgain() {
    List<String> names = List.of("a", "b,c", "\"d\"", " e ", "5\"", "f(x,y)", "g(", "h)");
    assertThat(NameList.parse("--select", NameList.spelled(names, ", "))).isEqualTo(names);
    assertThat(NameList.spelled(List.of("a,b", "c"), ","))
        .isNotEqualTo(NameList.spelled(List.of("a", "b,c"), ","));
  }
}
