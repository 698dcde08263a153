package millrace.endpoint;

import java.util.Map;
import millrace.spi.Secret;

/// What a connection name stands for: an environment variable `MILLRACE_NAME` or an entry of the
/// connections file.
///
/// @param origin where it was defined, for messages
/// @param url its URL; may hold a password, so that it is never printed
/// @param parameters more parameters, which the URL does not set
/// @param schema where a table is that is named without one; empty if nobody says
/// @param secret the password, if it stands beside the URL
public record Connection(
    String origin, String url, Map<String, String> parameters, String schema, Secret secret) {

  public Connection {
    parameters = Map.copyOf(parameters);
  }

  /// A connection that is a URL and nothing else.
  public static Connection of(String origin, String url) {
    return new Connection(origin, url, Map.of(), "", Secret.NONE);
  }

  /// Names where it was defined, and nothing that could hold a password.
  @Override
  public String toString() {
    return origin;
  }
}
