package millrace.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import millrace.spi.Secret;
import org.junit.jupiter.api.Test;

class ConnectorsTest {

  @Test
  void everySchemeLeadsToOneConnector() {
    List<String> schemes = new ArrayList<>();
    for (Connector connector : Connectors.ALL.all()) {
      assertThat(connector.schemes()).isNotEmpty();
      for (String scheme : connector.schemes()) {
        assertThat(Connectors.ALL.of(endpoint(scheme, Map.of()))).isSameAs(connector);
        schemes.add(scheme);
      }
    }
    assertThat(schemes).doesNotHaveDuplicates();
  }

  @Test
  void optionsCanBeTypedOnACommandLineAndExplainThemselves() {
    for (Connector connector : Connectors.ALL.all()) {
      HashSet<String> names = new HashSet<>();
      for (Option option : connector.options()) {
        assertThat(option.name()).as(connector.name()).matches("[a-z]+(-[a-z]+)*");
        assertThat(option.help()).as(option.name()).doesNotContain("\n").endsWith(".");
        assertThat(option.example()).as(option.name()).isNotEmpty();
        assertThat(names.add(option.name())).as("twice: " + option.name()).isTrue();
      }
    }
  }

  @Test
  void aMisspelledSchemeGetsTheNearestName() {
    assertThatThrownBy(() -> Connectors.ALL.of(endpoint("genrate", Map.of())))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessage("There is no connector for 'genrate:'.");
              assertThat(fault.advice()).startsWith("Did you mean 'generate'? Known are ");
            });
  }

  @Test
  void anUnknownSchemeGetsTheListOfThoseThatExist() {
    assertThatThrownBy(() -> Connectors.ALL.ofScheme("mainframe"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).startsWith("Known are ").contains("null"));
  }

  @Test
  void aMisspelledParameterIsRefusedByName() {
    assertThatThrownBy(() -> Connectors.ALL.of(endpoint("generate", Map.of("row", "10"))))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessage("generate:place has no parameter 'row'.");
              assertThat(fault.advice()).startsWith("Did you mean 'rows'? It takes rows, seed");
            });
  }

  @Test
  void aParameterOfAConnectorWithoutAnyIsRefused() {
    assertThatThrownBy(() -> Connectors.ALL.of(endpoint("null", Map.of("speed", "fast"))))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).isEqualTo("It takes no parameters."));
  }

  private static Endpoint endpoint(String scheme, Map<String, String> parameters) {
    return new Endpoint(scheme, "place", parameters, Secret.NONE);
  }
}
