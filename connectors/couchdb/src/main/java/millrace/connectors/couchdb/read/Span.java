package millrace.connectors.couchdb.read;

import java.nio.charset.StandardCharsets;
import millrace.connectors.json.Json;
import org.jspecify.annotations.Nullable;

/// The changes between two sequences, which are JSON values that the server alone understands:
/// texts, numbers or lists.
///
/// @param since the last sequence that is not wanted any more
/// @param until the last that is wanted
record Span(String since, String until) {

  private static final String SINCE = " since ";
  private static final String UNTIL = " until ";

  /// The span behind another sequence.
  Span from(String sequence) {
    return new Span(sequence, until);
  }

  /// As splits name it.
  ///
  /// @param label of the database
  String resource(String label) {
    return label + SINCE + since + UNTIL + until;
  }

  /// What a split names; null if that is no span.
  static @Nullable Span of(String label, String resource) {
    String prefix = label + SINCE;
    if (!resource.startsWith(prefix)) {
      return null;
    }
    byte[] rest = resource.substring(prefix.length()).getBytes(StandardCharsets.UTF_8);
    int end = Json.value(rest, 0, rest.length);
    if (end < 0) {
      return null;
    }
    String since = new String(rest, 0, end, StandardCharsets.UTF_8);
    String after = new String(rest, end, rest.length - end, StandardCharsets.UTF_8);
    return after.startsWith(UNTIL) ? new Span(since, after.substring(UNTIL.length())) : null;
  }
}
