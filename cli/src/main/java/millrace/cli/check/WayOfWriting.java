package millrace.cli.check;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// A way in which the connector writes.
///
/// @param parameters what asks for it
/// @param mayRefuse whether it may refuse tables or types that it is not for
record WayOfWriting(String name, Map<String, String> parameters, boolean mayRefuse) {

  private static final String METHOD = "method";
  private static final String NORMAL = "normal";

  /// All that the connector offers.
  static List<WayOfWriting> of(CheckedServer server) {
    return server.hasOption(METHOD)
        ? List.of(
            requested(NORMAL, false),
            requested("direct", true),
            // Refused otherwise by releases that nobody has confirmed, which this is for.
            new WayOfWriting("native", Map.of(METHOD, "native-trial"), true),
            requested("auto", false))
        : List.of(new WayOfWriting(NORMAL, Map.of(), false));
  }

  private static WayOfWriting requested(String name, boolean mayRefuse) {
    return new WayOfWriting(name, Map.of(METHOD, name), mayRefuse);
  }

  /// Tries a part that writes so.
  void check(Findings findings, String what, Supplier<String> part) {
    String named = what + ", " + name;
    if (mayRefuse) {
      findings.checkIfPossible(named, part);
    } else {
      findings.check(named, part);
    }
  }
}
