package millrace.connectors.stores.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Files on a web server that gives them whole, whatever is asked of it.
class WholeFilesTest extends WebFilesTest {

  @Override
  boolean gives() {
    return false;
  }

  @Test
  void thePlanSaysWhyOneLaneReads() throws IOException {
    put("whole.csv", rows(0, 200_000).getBytes(StandardCharsets.UTF_8));
    assertThat(plan(location("whole.csv")).lines())
        .anyMatch(line -> line.contains("the server gives a file only from its beginning"));
  }
}
