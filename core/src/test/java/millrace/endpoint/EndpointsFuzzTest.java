package millrace.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// Whatever a user writes for an end is understood or refused, and no password comes out of it.
class EndpointsFuzzTest {

  private static final String PASSWORD = "pa55-tHe-wOrd";

  /// Systems that have schemes and nothing else.
  private record Named(List<String> schemes, List<String> fileEndings) implements Connector {

    @Override
    public String name() {
      return schemes.getFirst();
    }

    @Override
    public List<Option> options() {
      return List.of();
    }

    @Override
    public String ddl(String table, Schema schema) {
      return "";
    }

    @Override
    public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
      throw new UnsupportedOperationException();
    }
  }

  private static final Endpoints ENDPOINTS =
      new Endpoints(
          List.of(
              new Named(List.of("file"), List.of()),
              new Named(List.of("parquet"), List.of(".parquet")),
              new Named(List.of("postgresql", "postgres"), List.of())),
          Map.of(
              "prod", () -> Connection.of("test", "postgresql://host/db"),
              "broken", () -> Connection.of("test", "nonsense")));

  @FuzzTest
  void anEndIsUnderstoodOrRefused(byte[] data) {
    try {
      Endpoint endpoint = ENDPOINTS.parse(new String(data, StandardCharsets.UTF_8));
      assertThat(endpoint.scheme()).isIn("file", "parquet", "postgresql", "postgres");
      assertThat(endpoint.parameters()).doesNotContainKey("password");
    } catch (Fault.User fault) {
      assertThat(fault.getMessage()).isNotBlank();
    }
  }

  /// The first line stands before the password, the second behind it.
  @FuzzTest
  void noPasswordComesOut(byte[] data) {
    String input = new String(data, StandardCharsets.UTF_8);
    String[] lines = input.split("\n", 2);
    boolean isThereAnyway = input.contains(PASSWORD);
    if (lines.length < 2 || isThereAnyway || lines[0].matches("(?s).*[/?].*")) {
      return;
    }
    String authority = "postgresql://" + lines[0] + ":" + PASSWORD + "@" + lines[1];
    String parameter = "postgresql://" + lines[0] + "/db?password=" + PASSWORD + "&" + lines[1];
    for (String text : List.of(authority, parameter)) {
      assertThat(Endpoints.redact("Unknown argument '" + text + "'.")).doesNotContain(PASSWORD);
      try {
        Endpoint endpoint = ENDPOINTS.parse(text);
        assertThat(endpoint.toString() + endpoint.label()).doesNotContain(PASSWORD);
      } catch (Fault.User fault) {
        assertThat(fault.getMessage() + fault.advice()).doesNotContain(PASSWORD);
      }
    }
  }
}
