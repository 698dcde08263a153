package millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class ShortenedTest {

  @Property
  void noLongValueIsWhole(@ForAll @IntRange(min = 201, max = 5_000) int length) {
    String word = "x".repeat(length);
    String words = "ab ".repeat(length).substring(0, length - 1) + "c";
    for (String message :
        new String[] {
          "a.csv, line 3: '" + word + "' is no number.",
          "a.csv, line 3: \"" + words + "\" is no number, and can't be one.",
          "The server says: " + word,
          "It isn't there, and can't be: '" + words + "'"
        }) {
      String shortened = Shortened.message(message);
      assertThat(shortened).doesNotContain(word, words).contains(" characters) … ");
      assertThat(shortened.length()).isLessThan(400);
    }
  }

  @Test
  void whatIsShortEnoughStays() {
    String message = "It can't be read: " + "some words of ours ".repeat(30) + "isn't one.";
    assertThat(Shortened.message(message)).isEqualTo(message);
    assertThat(Shortened.message("word ".repeat(400)).length()).isLessThan(800);
  }
}
