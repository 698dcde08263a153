package millrace.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.Secret;
import org.junit.jupiter.api.Test;

/// What goes to executors: whole again there, and without passwords where Spark may keep it.
final class PackedTest {

  private record Ends(String from, Secret own, List<Secret> more) implements Serializable {}

  private static final Ends ENDS =
      new Ends(
          "orders.csv",
          Secret.of("geheim"),
          List.of(Secret.of("verborgen"), Secret.NONE, Secret.of("geheim")));

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void passwordsAreApartFromTheRest() {
    Packed packed = Packed.apart(ENDS);
    assertThat(text(packed.plain())).contains("orders.csv").doesNotContain("geheim", "verborgen");
    assertThat(text(packed.secrets())).contains("geheim", "verborgen").doesNotContain("orders");
  }

  @Test
  void itIsWholeAgain() {
    Packed packed = Packed.apart(ENDS);
    Ends whole = new Packed(packed.plain(), packed.secrets()).whole(Ends.class);
    assertThat(whole.from()).isEqualTo("orders.csv");
    assertThat(whole.own().reveal()).isEqualTo("geheim");
    assertThat(whole.more())
        .extracting(Secret::reveal)
        .containsExactly("verborgen", null, "geheim");
  }

  @Test
  void whatIsSentAndNoMoreKeepsItsPasswords() {
    assertThat(Packed.read(Packed.of(ENDS), Ends.class).own().reveal()).isEqualTo("geheim");
  }

  @Test
  void bytesOfSomethingElseAreNoValue() {
    assertThatThrownBy(() -> Packed.read(new byte[] {1, 2, 3}, Ends.class))
        .isInstanceOf(Fault.Bug.class);
  }
}
