package millrace.endpoint;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;

/// The URL of a JDBC driver, which goes to the driver as it stands, without the password.
///
/// Drivers have parameters of their own behind `?`, `;` or `:`. So ours begin at the first `?` or
/// `&` that has one of our names behind it: `jdbc:mysql://h/shop?useSSL=true&table=orders`.
///
/// No message repeats any of it: where a password ends is known to the driver alone.
final class JdbcUrl {

  static final String SCHEME = "jdbc";

  private static final Pattern OURS = Pattern.compile("[?&](?=(table|query|driver)=)");
  private static final Pattern PASSWORD =
      Pattern.compile("(?i)[?&;:,]\\s*(password|pwd)\\s*=\\s*(.*)", Pattern.DOTALL);

  /// Names of parameters that may hold a secret.
  private static final Pattern SECRET =
      Pattern.compile("(?i)(pass|pwd|secret|token|credential|private.?key)[^=;&?]*=");

  /// A user and a password in front of a host, whatever is between them.
  private static final Pattern IN_FRONT_OF_HOST = Pattern.compile("[^:/?;&]@", Pattern.DOTALL);

  private JdbcUrl() {}

  /// Understands what stands behind `jdbc:`.
  ///
  /// @throws Fault.User if a password can't be told from the rest
  static Endpoint parse(String rest) {
    Matcher ours = OURS.matcher(rest);
    int end = ours.find() ? ours.start() : rest.length();
    String url = rest.substring(0, end);
    Parameters parameters =
        end == rest.length() ? Parameters.none() : Parameters.parse(rest.substring(end + 1));
    Secret secret = parameters.password();
    Matcher password = PASSWORD.matcher(url);
    if (password.find()) {
      String value = password.group(2).replaceFirst(";$", "");
      if (Set.of(';', '&', '?').stream().anyMatch(mark -> value.indexOf(mark) >= 0)) {
        throw refused("has a password with other parameters after it");
      }
      secret = Secret.of(value);
      url = url.substring(0, password.start());
    }
    if (SECRET.matcher(url).find()) {
      throw refused("has a parameter besides password= that may hold a secret");
    }
    if (IN_FRONT_OF_HOST.matcher(url).find()) {
      throw refused("has an @, in front of which a password may stand");
    }
    return new Endpoint(SCHEME, url, Map.copyOf(parameters.values()), secret);
  }

  private static Fault.User refused(String why) {
    return new Fault.User(
        "An end is a URL of JDBC that " + why + ", so that it can't be kept secret.",
        "Write the user as --user NAME, and the password last: 'jdbc:…;password=…'. Or put user:"
            + " and password: into a connection.");
  }
}
