package millrace.connectors;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.couchdb.CouchConnector;
import millrace.connectors.duckdb.DuckDbConnector;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.connectors.file.FileConnector;
import millrace.connectors.generate.GenerateConnector;
import millrace.connectors.nothing.NothingConnector;
import millrace.connectors.postgres.PostgresConnector;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Option;

/// The connectors that there are. A new one adds its line here, and nothing else anywhere.
public final class Connectors {

  private static final List<Connector> ALL =
      List.of(
          new CouchConnector(), //
          new DuckDbConnector(), //
          new FileConnector(), //
          new ParquetConnector(), //
          new GenerateConnector(), //
          new NothingConnector(), //
          new PostgresConnector());

  private Connectors() {}

  /// All of them, in the order in which help texts list them.
  public static List<Connector> all() {
    return ALL;
  }

  /// The connector that an endpoint is for, its parameters checked.
  ///
  /// @throws Fault.User where no connector answers to the scheme, or it has no such parameter
  public static Connector of(Endpoint endpoint) {
    Connector connector = ofScheme(endpoint.scheme());
    checkOptions(connector, endpoint);
    return connector;
  }

  /// The connector that answers to a scheme.
  ///
  /// @throws Fault.User where none does, with the nearest name or all of them
  public static Connector ofScheme(String scheme) {
    List<String> schemes = new ArrayList<>();
    for (Connector connector : ALL) {
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
  /// @throws Fault.User where there is one, with the nearest name or all of them
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
