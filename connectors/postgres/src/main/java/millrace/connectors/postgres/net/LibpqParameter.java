package millrace.connectors.postgres.net;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A connection parameter of libpq. {@link #ALL} has those of all versions up to 18, so that none
/// is passed over by accident: what another program would obey is obeyed, or the copy is refused.
///
/// @param keyword its name in a URL and in a service file; empty if it is a variable alone
/// @param variable the environment variable that says it if neither does; empty if there is none
/// @param property the driver's name for it if the driver obeys it; empty otherwise
/// @param isFree whether each value is taken
/// @param supported otherwise, those that ask for what Millrace does anyway
record LibpqParameter(
    String keyword, String variable, String property, boolean isFree, List<String> supported) {

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

  /// `keyword:variable`. {@link Address} and {@link ConnectionFactory} obey them.
  private static final String OBEYED =
      """
      service:PGSERVICE servicefile:PGSERVICEFILE :PGSYSCONFDIR
      host:PGHOST hostaddr:PGHOSTADDR port:PGPORT dbname:PGDATABASE connect_timeout:PGCONNECT_TIMEOUT
      user:PGUSER password:PGPASSWORD passfile:PGPASSFILE
      options:PGOPTIONS :PGGEQO application_name:PGAPPNAME fallback_application_name:
      target_session_attrs:PGTARGETSESSIONATTRS
      sslmode:PGSSLMODE :PGREQUIRESSL sslrootcert:PGSSLROOTCERT
      """;

  /// They decide neither which server answers nor which rows go where. The session's own settings
  /// fix how values are spelled.
  private static final String WITHOUT_EFFECT =
      """
      client_encoding:PGCLIENTENCODING :PGDATESTYLE :PGTZ :PGLOCALEDIR
      keepalives: keepalives_idle: keepalives_interval: keepalives_count: tcp_user_timeout:
      sslcompression:PGSSLCOMPRESSION sslkeylogfile: max_protocol_version:PGMAXPROTOCOLVERSION
      :PGOAUTHDEBUG :PGOAUTHCAFILE
      """;

  /// `keyword:variable:property`.
  private static final String OF_THE_DRIVER =
      """
      sslcert:PGSSLCERT:sslcert sslkey:PGSSLKEY:sslkey sslnegotiation:PGSSLNEGOTIATION:sslNegotiation
      channel_binding:PGCHANNELBINDING:channelBinding require_auth:PGREQUIREAUTH:requireAuth
      krbsrvname:PGKRBSRVNAME:kerberosServerName
      """;

  /// `keyword:variable:values`.
  private static final String NOT_SUPPORTED =
      """
      load_balance_hosts:PGLOADBALANCEHOSTS:disable replication::false,off,no,0
      sslpassword:: sslcertmode:PGSSLCERTMODE:allow sslsni:PGSSLSNI:1
      sslcrl:PGSSLCRL: sslcrldir:PGSSLCRLDIR:
      ssl_min_protocol_version:PGSSLMINPROTOCOLVERSION:TLSv1,TLSv1.1,TLSv1.2
      ssl_max_protocol_version:PGSSLMAXPROTOCOLVERSION:TLSv1.3
      min_protocol_version:PGMINPROTOCOLVERSION:3.0
      requirepeer:PGREQUIREPEER: gssencmode:PGGSSENCMODE:disable,prefer
      gsslib:PGGSSLIB:gssapi gssdelegation:PGGSSDELEGATION:0
      scram_client_key:: scram_server_key::
      oauth_issuer:: oauth_client_id:: oauth_client_secret:: oauth_scope::
      """;

  static final List<LibpqParameter> ALL =
      Stream.of(
              words(OBEYED).map(word -> free(word[0], word[1], "")),
              words(WITHOUT_EFFECT).map(word -> free(word[0], word[1], "")),
              words(OF_THE_DRIVER).map(word -> free(word[0], word[1], word[2])),
              words(NOT_SUPPORTED).map(word -> limited(word[0], word[1], word[2])))
          .flatMap(each -> each)
          .toList();

  private static Stream<String[]> words(String table) {
    return Stream.of(table.strip().split("\\s+", -1)).map(word -> word.split(":", -1));
  }

  private static LibpqParameter free(String keyword, String variable, String property) {
    return new LibpqParameter(keyword, variable, property, true, List.of());
  }

  private static LibpqParameter limited(String keyword, String variable, String values) {
    List<String> supported = values.isEmpty() ? List.of() : List.of(values.split(",", -1));
    return new LibpqParameter(keyword, variable, "", false, supported);
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

  /// Whether a value is taken; an empty one always is, which stands for the default.
  boolean takes(String value) {
    return value.isEmpty() || isFree || supported.stream().anyMatch(value::equalsIgnoreCase);
  }
}
