package millrace.endpoint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Secret;

/// The part of a URL after the `//`, its password taken out (RFC 3986, section 3.2).
///
/// If a password holds a character that must be written as %xx, the end of it can't be told from
/// the rest: then the URL is refused, and not a letter of it is printed.
///
/// @param withoutPassword user, hosts, ports and path, spelled as they came
/// @param password the password, decoded
record Authority(String withoutPassword, Secret password) {

  private static final Pattern HOSTS =
      Pattern.compile(
          "(?:\\[[0-9A-Fa-f:.%]*\\]|[^\\[\\]:,@]*)(?::[0-9]*)?(?:,(?:\\[[0-9A-Fa-f:.%]*\\]|[^\\[\\]:,@]*)(?::[0-9]*)?)*");

  /// Behind a host: digits within brackets are those of an address.
  private static final Pattern PORT = Pattern.compile(":([0-9]+)(?=,|$)");

  private static final int PORT_DIGITS_MAX = 9;
  private static final int PORT_MAX = 65_535;

  /// @param scheme for the message
  /// @param text what stands between the `//` and the `?`
  /// @throws Fault.User if it is not clear where the password ends
  static Authority parse(String scheme, String text) {
    int slash = text.indexOf('/');
    String authority = slash < 0 ? text : text.substring(0, slash);
    String path = slash < 0 ? "" : text.substring(slash);
    int at = authority.lastIndexOf('@');
    String user = at < 0 ? "" : authority.substring(0, at);
    String hosts = authority.substring(at + 1);
    if (path.indexOf('@') >= 0 || !HOSTS.matcher(hosts).matches()) {
      throw malformed(scheme);
    }
    checkPorts(scheme, hosts);
    int colon = user.indexOf(':');
    if (colon < 0) {
      return new Authority(text, Secret.NONE);
    }
    String password = Parameters.decode(user.substring(colon + 1), "password");
    return new Authority(
        user.substring(0, colon) + "@" + hosts + path,
        password.isEmpty() ? Secret.NONE : Secret.of(password));
  }

  /// Does not repeat the number: if somebody forgot the host, it is a password.
  private static void checkPorts(String scheme, String hosts) {
    Matcher matcher = PORT.matcher(hosts);
    while (matcher.find()) {
      String digits = matcher.group(1);
      if (digits.length() > PORT_DIGITS_MAX
          || Integer.parseInt(digits) < 1
          || Integer.parseInt(digits) > PORT_MAX) {
        throw new Fault.User(
            "The port in the " + scheme + ": URL is not from 1 to " + PORT_MAX + ".",
            "Write " + scheme + "://user@host:port/…, or leave the port out.");
      }
    }
  }

  static Fault.User malformed(String scheme) {
    return new Fault.User(
        "The " + scheme + ": URL is not " + scheme + "://user:password@host:port/….",
        "A port is a number. Write the characters : / ? # @ and % of a user or password as"
            + " %3A %2F %3F %23 %40 %25, or leave the password out of the URL.");
  }
}
