package millrace.connectors.postgres.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A connection parameter of libpq, and what Millrace does with it. The table has all of them, of
/// all versions up to 18, so that none is passed over by accident: what another program would obey
/// is obeyed, or the copy is refused.
///
/// @param keyword its name in a URL and in a service file; empty if it is a variable alone
/// @param variable the environment variable that says it if neither does; empty if there is none
record LibpqParameter(String keyword, String variable, Use use) {

  /// What is done with a parameter that is given.
  sealed interface Use {

    /// {@link Address} and {@link ConnectionFactory} obey it.
    record Taken() implements Use {}

    /// The driver obeys it.
    ///
    /// @param property its name there
    record Driver(String property) implements Use {}

    /// It decides neither which server answers nor which rows go where.
    record NoEffect() implements Use {}

    /// Values other than these are refused.
    ///
    /// @param values those that ask for what Millrace does anyway; none if all are refused
    /// @param lacks what Millrace does not do, as the end of a sentence
    record Only(List<String> values, String lacks) implements Use {}
  }

  static final String SERVICE = "service";
  static final String SERVICE_FILE = "servicefile";
  static final String USER = "user";
  static final String PASSWORD = "password";
  static final String PASSWORD_FILE = "passfile";
  static final String DATABASE = "dbname";
  static final String HOST = "host";
  static final String HOST_ADDRESS = "hostaddr";
  static final String PORT = "port";
  static final String OPTIONS = "options";
  static final String APPLICATION_NAME = "application_name";
  static final String FALLBACK_NAME = "fallback_application_name";
  static final String CONNECT_TIMEOUT = "connect_timeout";
  static final String TLS_MODE = "sslmode";
  static final String TLS_AUTHORITIES = "sslrootcert";
  static final String SESSION_ATTRIBUTES = "target_session_attrs";

  static final String SYSTEM_FOLDER_VARIABLE = "PGSYSCONFDIR";
  static final String REQUIRE_TLS_VARIABLE = "PGREQUIRESSL";
  static final String GENETIC_PLANS_VARIABLE = "PGGEQO";

  static final List<LibpqParameter> ALL = all();

  private static List<LibpqParameter> all() {
    List<LibpqParameter> all = new ArrayList<>();
    all.addAll(whereAndWho());
    all.addAll(tls());
    all.addAll(logins());
    all.addAll(network());
    all.addAll(variablesAlone());
    return List.copyOf(all);
  }

  private static List<LibpqParameter> whereAndWho() {
    return List.of(
        taken(SERVICE, "PGSERVICE"),
        taken(SERVICE_FILE, "PGSERVICEFILE"),
        taken(HOST, "PGHOST"),
        taken(HOST_ADDRESS, "PGHOSTADDR"),
        taken(PORT, "PGPORT"),
        taken(DATABASE, "PGDATABASE"),
        taken(USER, "PGUSER"),
        taken(PASSWORD, "PGPASSWORD"),
        taken(PASSWORD_FILE, "PGPASSFILE"),
        taken(OPTIONS, "PGOPTIONS"),
        taken(APPLICATION_NAME, "PGAPPNAME"),
        taken(FALLBACK_NAME, ""),
        taken(SESSION_ATTRIBUTES, "PGTARGETSESSIONATTRS"),
        only(
            "load_balance_hosts",
            "PGLOADBALANCEHOSTS",
            List.of("disable"),
            "does not choose among servers"),
        only(
            "replication",
            "",
            List.of("false", "off", "no", "0"),
            "opens no replication connections"));
  }

  private static List<LibpqParameter> tls() {
    return List.of(
        taken(TLS_MODE, "PGSSLMODE"),
        taken(TLS_AUTHORITIES, "PGSSLROOTCERT"),
        driver("sslcert", "PGSSLCERT", "sslcert"),
        driver("sslkey", "PGSSLKEY", "sslkey"),
        driver("sslnegotiation", "PGSSLNEGOTIATION", "sslNegotiation"),
        noEffect("sslcompression", "PGSSLCOMPRESSION"),
        noEffect("sslkeylogfile", ""),
        only("sslpassword", "", List.of(), "takes no key with a password"),
        only(
            "sslcertmode",
            "PGSSLCERTMODE",
            List.of("allow"),
            "does not decide by it when its certificate is sent"),
        only("sslcrl", "PGSSLCRL", List.of(), "reads no revocation lists"),
        only("sslcrldir", "PGSSLCRLDIR", List.of(), "reads no revocation lists"),
        only("sslsni", "PGSSLSNI", List.of("1"), "always sends the server's name"),
        only(
            "ssl_min_protocol_version",
            "PGSSLMINPROTOCOLVERSION",
            List.of("TLSv1", "TLSv1.1", "TLSv1.2"),
            "allows TLS 1.2 and 1.3"),
        only(
            "ssl_max_protocol_version",
            "PGSSLMAXPROTOCOLVERSION",
            List.of("TLSv1.3"),
            "allows TLS 1.2 and 1.3"));
  }

  private static List<LibpqParameter> logins() {
    return List.of(
        driver("channel_binding", "PGCHANNELBINDING", "channelBinding"),
        driver("require_auth", "PGREQUIREAUTH", "requireAuth"),
        driver("krbsrvname", "PGKRBSRVNAME", "kerberosServerName"),
        only(
            "requirepeer",
            "PGREQUIREPEER",
            List.of(),
            "does not ask which user the server runs as"),
        only(
            "gssencmode",
            "PGGSSENCMODE",
            List.of("disable", "prefer"),
            "does not encrypt with GSSAPI"),
        only("gsslib", "PGGSSLIB", List.of("gssapi"), "does not choose a library for GSSAPI"),
        only("gssdelegation", "PGGSSDELEGATION", List.of("0"), "passes no tickets on"),
        only("scram_client_key", "", List.of(), "logs in with a password"),
        only("scram_server_key", "", List.of(), "logs in with a password"),
        only("oauth_issuer", "", List.of(), "does not log in by OAuth"),
        only("oauth_client_id", "", List.of(), "does not log in by OAuth"),
        only("oauth_client_secret", "", List.of(), "does not log in by OAuth"),
        only("oauth_scope", "", List.of(), "does not log in by OAuth"));
  }

  private static List<LibpqParameter> network() {
    return List.of(
        taken(CONNECT_TIMEOUT, "PGCONNECT_TIMEOUT"),
        noEffect("keepalives", ""),
        noEffect("keepalives_idle", ""),
        noEffect("keepalives_interval", ""),
        noEffect("keepalives_count", ""),
        noEffect("tcp_user_timeout", ""),
        only(
            "min_protocol_version",
            "PGMINPROTOCOLVERSION",
            List.of("3.0"),
            "speaks version 3.0 of the protocol"),
        noEffect("max_protocol_version", "PGMAXPROTOCOLVERSION"),
        // The session's own settings fix how values are spelled, and always did.
        noEffect("client_encoding", "PGCLIENTENCODING"));
  }

  private static List<LibpqParameter> variablesAlone() {
    return List.of(
        taken("", SYSTEM_FOLDER_VARIABLE),
        taken("", REQUIRE_TLS_VARIABLE),
        taken("", GENETIC_PLANS_VARIABLE),
        noEffect("", "PGDATESTYLE"),
        noEffect("", "PGTZ"),
        noEffect("", "PGLOCALEDIR"),
        noEffect("", "PGOAUTHDEBUG"),
        noEffect("", "PGOAUTHCAFILE"));
  }

  private static LibpqParameter taken(String keyword, String variable) {
    return new LibpqParameter(keyword, variable, new Use.Taken());
  }

  private static LibpqParameter driver(String keyword, String variable, String property) {
    return new LibpqParameter(keyword, variable, new Use.Driver(property));
  }

  private static LibpqParameter noEffect(String keyword, String variable) {
    return new LibpqParameter(keyword, variable, new Use.NoEffect());
  }

  private static LibpqParameter only(
      String keyword, String variable, List<String> values, String lacks) {
    return new LibpqParameter(keyword, variable, new Use.Only(values, lacks));
  }

  /// The one of that name in a URL or a service file.
  static Optional<LibpqParameter> named(String keyword) {
    return ALL.stream()
        .filter(each -> !keyword.isEmpty() && each.keyword.equals(keyword))
        .findFirst();
  }

  /// Its name among the parameters of an endpoint, where words are joined by `-`.
  String option() {
    return keyword.replace('_', '-');
  }

  /// Whether its value may be repeated in a message.
  boolean isPublic() {
    return !keyword.contains("password") && !keyword.contains("secret") && !keyword.endsWith("key");
  }

  /// Whether a value asks for something that Millrace does not do; never for an empty one, which
  /// stands for the default.
  boolean refuses(@Nullable String value) {
    return value != null
        && !value.isEmpty()
        && use instanceof Use.Only(List<String> values, _)
        && values.stream().noneMatch(value::equalsIgnoreCase);
  }
}
