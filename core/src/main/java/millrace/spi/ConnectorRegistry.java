package millrace.spi;

import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.fault.Nearest;

/// All connectors of a program, found by scheme.
///
/// @param all in the order in which help texts list them
public record ConnectorRegistry(List<Connector> all) {

  public ConnectorRegistry {
    all = List.copyOf(all);
  }

  /// The connector that an endpoint is for, its parameters checked.
  ///
  /// @throws Fault.User if no connector answers to the scheme, or it has no such parameter
  public Connector of(Endpoint endpoint) {
    Connector connector = ofScheme(endpoint.scheme());
    checkOptions(connector, endpoint);
    return connector;
  }

  /// The connector that answers to a scheme.
  ///
  /// @throws Fault.User if none does, with the nearest name or all of them
  public Connector ofScheme(String scheme) {
    List<String> schemes = new ArrayList<>();
    for (Connector connector : all) {
      if (connector.schemes().contains(scheme)) {
        return connector;
      }
      schemes.addAll(connector.schemes());
    }
    throw new Fault.User(
        "There is no connector for '" + scheme + ":'.",
        advice(scheme, schemes, "Known are " + String.join(", ", schemes) + "."));
  }

  /// Refuses an endpoint with a parameter that its connector does not have.
  ///
  /// @throws Fault.User if there is one, with the nearest name or all of them
  public static void checkOptions(Connector connector, Endpoint endpoint) {
    List<String> known = connector.options(endpoint).stream().map(Option::name).toList();
    for (String name : endpoint.parameters().keySet().stream().sorted().toList()) {
      if (!known.contains(name)) {
        String all =
            known.isEmpty()
                ? "It takes no parameters."
                : "It takes " + String.join(", ", known) + ".";
        throw new Fault.User(
            endpoint.label() + " has no parameter '" + name + "'.", advice(name, known, all));
      }
    }
  }

  private static String advice(String wanted, List<String> known, String otherwise) {
    String hint = Nearest.hint(wanted, known);
    return hint.isEmpty() ? otherwise : hint + " " + otherwise;
  }
}
