package millrace.spi;

import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import millrace.fault.Fault;
import millrace.text.Amount;
import millrace.text.TimeSpan;

/// One end of a job: a parsed URL with its parameters. Holds no password: connectors find theirs
/// when they connect (see {@link Secret}).
///
/// @param scheme lower case, for example `postgresql`; `file` for plain paths and `-`
/// @param location what stands between the scheme and the `?`, user and host included, any password
///   taken out
/// @param parameters those after the `?`, and those of the command line that the URL does not set
/// @param secret the password that stood in the URL or the connections file, if one did
public record Endpoint(
    String scheme, String location, Map<String, String> parameters, Secret secret)
    implements Serializable {

  public Endpoint {
    parameters = Map.copyOf(parameters);
  }

  /// How the endpoint is named in plans, reports and errors; never with a password.
  public String label() {
    return scheme.equals("file") ? location : scheme + ":" + location;
  }

  /// The same with the table, if one is named, which tells two tables of a database apart.
  public String labelWithTable() {
    return label() + text("table").map(table -> " " + table).orElse("");
  }

  /// Whether it is standard input or output.
  public boolean isStandardStream() {
    return scheme.equals("file") && location.equals("-");
  }

  /// The endpoint of another file in the same folder, whose name ends like this one's, or has no
  /// ending either.
  ///
  /// @param prefix what stands before the file's own name
  public Endpoint beside(String prefix) {
    int name = location.lastIndexOf('/') + 1;
    return at(location.substring(0, name) + prefix + "_" + location.substring(name));
  }

  /// The same endpoint with another value of a parameter.
  public Endpoint with(String name, String value) {
    Map<String, String> others = new HashMap<>(parameters);
    others.put(name, value);
    return new Endpoint(scheme, location, others, secret);
  }

  /// The same endpoint at another location.
  public Endpoint at(String other) {
    return new Endpoint(scheme, other, parameters, secret);
  }

  /// A parameter's text, if it was given.
  public Optional<String> text(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  /// A parameter that is true or false.
  ///
  /// @throws Fault.User if it is neither
  public boolean flag(String name, boolean otherwise) {
    String value = parameters.get(name);
    if (value == null) {
      return otherwise;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "" -> true;
      case "false", "no", "off" -> false;
      default ->
          throw new Fault.User(
              name + "=" + value + " is neither true nor false (" + label() + ").",
              "Write " + name + "=true or " + name + "=false.");
    };
  }

  /// A parameter that is a size, in bytes: `1000B`, `64kB`, `16MB`, `2GB` (powers of 1024). One
  /// without a unit is refused: who writes `8` hardly means 8 bytes.
  ///
  /// @throws Fault.User if it is no size
  public long size(String name, long otherwise) {
    String value = parameters.get(name);
    if (value == null) {
      return otherwise;
    }
    Amount size = Amount.parse(name, value);
    if (!size.inBytes()) {
      throw new Fault.User(
          name + "=" + value + " has no unit (" + label() + ").",
          "Write a size such as 1000B, 64kB, 16MB or 2GB.");
    }
    return size.number();
  }

  /// A parameter that is a time: `20` and `20s` are seconds, `2m` minutes.
  ///
  /// @throws Fault.User if it is no time, or less than a second
  public Duration time(String name, Duration otherwise) {
    String value = parameters.get(name);
    if (value == null) {
      return otherwise;
    }
    Duration time = TimeSpan.parse(name, value.matches("[0-9]{1,6}") ? value + "s" : value);
    if (time.isZero()) {
      throw new Fault.User(
          name + "=" + value + " is not a duration (" + label() + ").",
          "Write a time such as 20s, or leave it out.");
    }
    return time;
  }
}
