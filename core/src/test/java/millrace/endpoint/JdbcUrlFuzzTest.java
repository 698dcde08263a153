package millrace.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Endpoint;

/// Whatever a URL of a driver holds, the driver gets it as it stands, and nobody a password.
class JdbcUrlFuzzTest {

  private static final String PASSWORD = "pa55-tHe-wOrd";

  private static final List<String> BEFORE = List.of(";", "&", "?", ":", ",", "; ", "?a=b&");
  private static final List<String> KEYS = List.of("password=", "PASSWORD=", "pwd=", "Pwd = ");

  @FuzzTest
  void aDriverGetsWhatStandsThere(byte[] data) {
    String url = new String(data, StandardCharsets.UTF_8);
    Endpoint end;
    try {
      end = JdbcUrl.parse(url);
    } catch (Fault.User fault) {
      assertThat(fault.getMessage()).isNotBlank();
      assertThat(fault.advice()).isNotBlank();
      return;
    }
    assertThat(url).startsWith(end.location());
    assertThat(end.parameters()).doesNotContainKey("password");
    Endpoint again = JdbcUrl.parse(end.location());
    assertThat(again.location()).isEqualTo(end.location());
    assertThat(again.parameters()).isEqualTo(Map.of());
    assertThat(again.secret().reveal()).isNull();
    boolean hasMore = end.parameters().isEmpty() && end.secret().reveal() == null;
    if (hasMore) {
      assertThat(url.substring(end.location().length()))
          .matches("([?&](table|query|driver)=.*)?&*");
    }
  }

  /// The first byte chooses how the password is written; the first line stands before it, the rest
  /// behind it.
  @FuzzTest
  void aPasswordIsTakenOutOrRefused(byte[] data) {
    if (data.length < 1) {
      return;
    }
    int chosen = data[0] & 0xFF;
    String input = new String(data, 1, data.length - 1, StandardCharsets.UTF_8);
    String[] lines = input.split("\n", 2);
    boolean isOurs = lines[0].matches("(?s).*[?&](table|query|driver)=.*");
    if (lines.length < 2 || isOurs || input.contains(PASSWORD)) {
      return;
    }
    String mark = BEFORE.get(chosen % BEFORE.size());
    String key = KEYS.get(chosen / BEFORE.size() % KEYS.size());
    String url = lines[0] + mark + key + PASSWORD + lines[1];
    try {
      Endpoint end = JdbcUrl.parse(url);
      assertThat(end.toString() + end.label() + end.parameters()).doesNotContain(PASSWORD);
      assertThat(end.secret().reveal()).contains(PASSWORD);
      assertThat(url).startsWith(end.location());
    } catch (Fault.User fault) {
      assertThat(fault.getMessage() + fault.advice()).doesNotContain(PASSWORD);
    }
  }
}
