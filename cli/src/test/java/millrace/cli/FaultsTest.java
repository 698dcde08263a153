package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is printed of a fault holds no password, wherever a library or a user has put one: in the
/// message, in the advice, or in a cause that is printed for debugging.
class FaultsTest {

  private static final String PASSWORD = "s3cret";

  @TempDir private Path home;

  /// Texts as drivers and users write them, each with the password.
  private static Stream<String> texts() {
    return Stream.of(
        "river://me:s3cret@host:1/shop is down",
        "river://me:s3%40cret:s3cret@host/shop?a=b",
        "river://me:a@b@s3cret@host/shop is down",
        "river://host/shop?password=" + "x".repeat(20_000) + "s3cret is down",
        "tried river://me@h:1/d, then river://me:s3cret@h:2/d.",
        "jdbc:river://host/shop?user=me&password=s3cret",
        "jdbc:river://host/shop?password=s3cret&user=me",
        "host=h password=s3cret dbname=shop",
        "host=h password='a s3cret' dbname=shop",
        "Server=h;Password=s3cret;Database=shop",
        "two lines\nriver://me:s3cret@host/shop\nand one more");
  }

  @ParameterizedTest
  @MethodSource("texts")
  void noPasswordIsPrinted(String text) {
    IllegalStateException cause = new IllegalStateException(text);
    for (Fault fault :
        new Fault[] {
          new Fault.User(text, ""),
          new Fault.User("It can't be done.", text),
          new Fault.Data(text, text, null),
          new Fault.Transient(text, text, 0, cause),
          new Fault.External("A server failed.", text, cause),
          new Fault.Bug(text, cause)
        }) {
      assertThat(FaultMessage.of(fault)).doesNotContain(PASSWORD);
      assertThat(FaultMessage.advice(fault)).doesNotContain(PASSWORD);
      assertThat(printed(fault, false)).isNotBlank().doesNotContain(PASSWORD);
      assertThat(printed(fault, true)).isNotBlank().doesNotContain(PASSWORD);
    }
  }

  /// Standard error, and the line for programs.
  private String printed(Fault fault, boolean debug) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      Map<String, String> env = Map.of("HOME", home.toString());
      Context context = Context.of(new Console(out, out, env, 0, false), new Stop());
      Faults.print(context, fault, debug, out);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
