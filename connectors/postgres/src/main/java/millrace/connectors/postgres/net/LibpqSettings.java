package millrace.connectors.postgres.net;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;

/// What libpq would take for each of its parameters: from the URL, if not there from the service,
/// then from the environment. The password stands apart.
final class LibpqSettings {

  private static final Pattern LOCATION =
      Pattern.compile(
          "//(?:(?<user>[^@/]*)@)?(?<host>\\[[^\\]]*\\]|[^:/@]*)(?::(?<port>[^/]*))?(?:/(?<dbname>.*))?");

  /// A value.
  ///
  /// @param name the parameter's name there
  /// @param place where it stands, as a sentence without its end
  private record Given(String value, String name, String place) {}

  private final Map<String, Given> values = new HashMap<>();
  private final Map<String, String> driver = new TreeMap<>();
  private final Secret password;

  private LibpqSettings(Secret password) {
    this.password = password;
  }

  /// @param environment looks up an environment variable, null if it is not set
  /// @throws Fault.User if the endpoint is no address, if there is no such service, or if one of
  ///   them asks for what Millrace does not do
  static LibpqSettings of(Endpoint endpoint, Function<String, @Nullable String> environment) {
    Map<String, String> url = explicit(endpoint);
    String service = first(url.get(LibpqParameter.SERVICE), environment.apply("PGSERVICE"));
    ServiceFile.@Nullable Service found =
        service.isEmpty()
            ? null
            : ServiceFile.find(
                service,
                first(url.get(LibpqParameter.SERVICE_FILE), environment.apply("PGSERVICEFILE")),
                environment);
    Map<String, String> ofService = new HashMap<>(found == null ? Map.of() : found.values());
    LibpqSettings settings =
        new LibpqSettings(
            password(
                endpoint.secret(),
                ofService.get(LibpqParameter.PASSWORD),
                environment.apply("PGPASSWORD")));
    for (LibpqParameter parameter : LibpqParameter.ALL) {
      if (!parameter.keyword().equals(LibpqParameter.PASSWORD)) {
        settings.take(parameter, url, ofService, environment);
      }
    }
    return settings;
  }

  /// What of an endpoint decides which session a connection of it has: the same for all tables of a
  /// database.
  static Endpoint ofConnection(Endpoint endpoint) {
    Map<String, String> parameters = new HashMap<>();
    for (LibpqParameter parameter : LibpqParameter.ALL) {
      endpoint.text(parameter.option()).ifPresent(text -> parameters.put(parameter.option(), text));
    }
    return new Endpoint(endpoint.scheme(), endpoint.location(), parameters, endpoint.secret());
  }

  private static Secret password(
      Secret explicit, @Nullable String inService, @Nullable String inEnvironment) {
    if (explicit.reveal() != null) {
      return explicit;
    }
    String text = first(inService, inEnvironment);
    return text.isEmpty() ? Secret.NONE : Secret.of(text);
  }

  private void take(
      LibpqParameter parameter,
      Map<String, String> url,
      Map<String, String> service,
      Function<String, @Nullable String> environment) {
    String keyword = parameter.keyword();
    String variable = parameter.variable();
    Given given = null;
    if (url.containsKey(keyword)) {
      given = new Given(url.getOrDefault(keyword, ""), keyword, "The URL has it");
    } else if (service.containsKey(keyword)) {
      given = new Given(service.getOrDefault(keyword, ""), keyword, "The service has it");
    } else if (!variable.isEmpty()) {
      String value = environment.apply(variable);
      given = value == null || value.isEmpty() ? null : new Given(value, variable, "It is set");
    }
    if (given != null) {
      check(parameter, given);
      values.put(keyword.isEmpty() ? variable : keyword, given);
      if (!parameter.property().isEmpty() && !given.value.isEmpty()) {
        driver.put(parameter.property(), given.value);
      }
    }
  }

  private static void check(LibpqParameter parameter, Given given) {
    if (given.value.indexOf('\0') >= 0) {
      throw new Fault.User(given.name + " has a zero byte.", "libpq takes none either.");
    }
    if (parameter.takes(given.value)) {
      return;
    }
    List<String> supported = parameter.supported();
    // If no value is supported, it may be a secret.
    String value = supported.isEmpty() ? "" : "=" + given.value.replaceAll("\\p{Cntrl}", "?");
    throw new Fault.User(
        "\"%s%s\" is not supported. %s, and psql would obey it."
            .formatted(given.name, value, given.place),
        given.name.equals(parameter.variable())
            ? "Unset it for this command: env -u " + given.name + " millrace …"
            : supported.isEmpty()
                ? "Leave it out."
                : "Leave it out, or write " + given.name + "=" + supported.getLast() + ".");
  }

  /// What the URL itself says, by libpq's keywords; an empty host, port, user or database before
  /// the `?` says nothing, and what follows the `?` wins.
  private static Map<String, String> explicit(Endpoint endpoint) {
    Matcher matcher = LOCATION.matcher(endpoint.location());
    Map<String, String> url = new HashMap<>();
    if (!endpoint.location().isEmpty()) {
      if (!matcher.matches()) {
        throw Address.bad(endpoint);
      }
      for (String part :
          new String[] {
            LibpqParameter.USER, LibpqParameter.HOST, LibpqParameter.PORT, LibpqParameter.DATABASE
          }) {
        String text = matcher.group(part);
        if (text != null && !text.isEmpty()) {
          url.put(part, Address.decoded(text));
        }
      }
    }
    for (LibpqParameter parameter : LibpqParameter.ALL) {
      endpoint.text(parameter.option()).ifPresent(value -> url.put(parameter.keyword(), value));
    }
    return url;
  }

  private static String first(@Nullable String one, @Nullable String other) {
    return one != null ? one : other == null ? "" : other;
  }

  /// The value of a parameter, or of a variable without one; empty if nothing says it.
  String get(String keywordOrVariable) {
    Given given = values.get(keywordOrVariable);
    return given == null ? "" : given.value;
  }

  /// Whether anything says it, if only that it is empty.
  boolean has(String keyword) {
    return values.containsKey(keyword);
  }

  /// How long connecting may take, in seconds; zero if there is no limit but Millrace's own, as
  /// libpq reads it.
  int connectSeconds() {
    String text = get(LibpqParameter.CONNECT_TIMEOUT);
    try {
      return text.isBlank() ? 0 : Math.max(Integer.parseInt(text.strip()), 0);
    } catch (NumberFormatException e) {
      throw new Fault.User(
          "connect_timeout=" + text.replaceAll("\\p{Cntrl}", "?") + " is no number of seconds.",
          "Write connect_timeout=10, or set PGCONNECT_TIMEOUT=10.",
          e);
    }
  }

  /// What the driver obeys, by its own names.
  Map<String, String> driver() {
    return Map.copyOf(driver);
  }

  /// {@link Secret#NONE} if neither the URL, the connection, the service nor the environment has
  /// one.
  Secret password() {
    return password;
  }
}
