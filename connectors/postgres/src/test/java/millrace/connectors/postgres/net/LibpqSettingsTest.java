package millrace.connectors.postgres.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.TestDatabase;
import millrace.fault.Fault;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which server, database, user and password a copy takes is what psql would take: from the URL,
/// the service file and the environment, in this order.
class LibpqSettingsTest {

  private static final String PASSWORD = "n3ver:shown";

  /// The keywords of `PQconninfoOptions` in libpq 18, and `servicefile` of 19.
  private static final Set<String> KEYWORDS =
      Set.of(
          ("service servicefile user password passfile channel_binding connect_timeout dbname host"
                  + " hostaddr port client_encoding options application_name"
                  + " fallback_application_name keepalives keepalives_idle keepalives_interval"
                  + " keepalives_count tcp_user_timeout sslmode sslnegotiation sslcompression"
                  + " sslcert sslkey sslcertmode sslpassword sslrootcert sslcrl sslcrldir sslsni"
                  + " requirepeer require_auth min_protocol_version max_protocol_version"
                  + " ssl_min_protocol_version ssl_max_protocol_version gssencmode krbsrvname"
                  + " gsslib gssdelegation replication target_session_attrs load_balance_hosts"
                  + " scram_client_key scram_server_key oauth_issuer oauth_client_id"
                  + " oauth_client_secret oauth_scope sslkeylogfile")
              .split(" "));

  /// What libpq asks the environment for (`strings libpq.so.5 | grep ^PG`, and what came after 15).
  private static final Set<String> VARIABLES =
      Set.of(
          ("PGSERVICE PGSERVICEFILE PGSYSCONFDIR PGREQUIRESSL PGDATESTYLE PGTZ PGGEQO PGUSER"
                  + " PGPASSWORD PGPASSFILE PGCHANNELBINDING PGDATABASE PGHOST PGHOSTADDR PGPORT"
                  + " PGCLIENTENCODING PGOPTIONS PGAPPNAME PGSSLMODE PGSSLCOMPRESSION PGSSLCERT"
                  + " PGSSLKEY PGSSLROOTCERT PGSSLCRL PGSSLCRLDIR PGSSLSNI PGREQUIREPEER"
                  + " PGSSLMINPROTOCOLVERSION PGSSLMAXPROTOCOLVERSION PGGSSENCMODE PGKRBSRVNAME"
                  + " PGGSSLIB PGTARGETSESSIONATTRS PGLOCALEDIR PGCONNECT_TIMEOUT PGREQUIREAUTH"
                  + " PGSSLCERTMODE PGGSSDELEGATION PGLOADBALANCEHOSTS PGSSLNEGOTIATION"
                  + " PGMINPROTOCOLVERSION PGMAXPROTOCOLVERSION PGOAUTHDEBUG PGOAUTHCAFILE")
              .split(" "));

  @TempDir private Path home;

  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void atHome() {
    environment.put("HOME", home.toString());
    environment.put("PGSYSCONFDIR", home.resolve("etc").toString());
  }

  private void services(Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
  }

  private void services(String... lines) throws IOException {
    services(home.resolve(".pg_service.conf"), lines);
  }

  /// An endpoint from what follows `postgresql:` in a URL.
  private static Endpoint endpoint(String url) {
    int question = url.indexOf('?');
    Map<String, String> parameters = new HashMap<>();
    if (question >= 0) {
      for (String pair : url.substring(question + 1).split("&", -1)) {
        String[] both = pair.split("=", 2);
        parameters.put(both[0].replace('_', '-'), URI.create("x:/?" + both[1]).getQuery());
      }
    }
    return new Endpoint(
        "postgresql", question < 0 ? url : url.substring(0, question), parameters, Secret.NONE);
  }

  private String reached(String url) {
    Address address = Address.of(endpoint(url), environment::get);
    return address.user() + "@" + address.server() + "/" + address.database();
  }

  private Fault.User refused(String url) {
    Fault.User fault = catchThrowableOfType(Fault.User.class, () -> reached(url));
    assertThat(fault).as(url).isNotNull();
    assertThat(fault.getMessage() + fault.advice()).doesNotContain(PASSWORD, "\n");
    assertThat(fault.advice()).isNotEmpty();
    return fault;
  }

  @Test
  void theTableHoldsAllThatLibpqKnows() {
    assertThat(all(LibpqParameter::keyword)).containsExactlyInAnyOrderElementsOf(KEYWORDS);
    assertThat(all(LibpqParameter::variable)).containsExactlyInAnyOrderElementsOf(VARIABLES);
  }

  private static List<String> all(Function<LibpqParameter, String> part) {
    return LibpqParameter.ALL.stream().map(part).filter(text -> !text.isEmpty()).toList();
  }

  @Test
  void aUrlTakesEachKeywordOnceAndTheCommandLineOnlyItsOwn() {
    PostgresConnector connector = new PostgresConnector();
    List<String> names = connector.options(endpoint("")).stream().map(Option::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(names).containsAll(KEYWORDS.stream().map(each -> each.replace('_', '-')).toList());
    assertThat(connector.options()).extracting(Option::name).doesNotContain("host", "service");
    ConnectorRegistry.checkOptions(connector, endpoint("//h/d?application_name=a&service=s"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', me@prod:5433/shop",
    "//other/, me@other:5433/shop",
    "//you@other:1/db, you@other:1/db",
    "//other:1/db?host=third&port=2&user=we&dbname=d, we@third:2/d",
    "?hostaddr=127.0.0.9, me@prod:5433 (127.0.0.9)/shop",
    "?port=, me@prod:5432/shop",
    "?service=small, ci@envhost:7/ci"
  })
  void aUrlWinsOverTheServiceAndThatOverTheEnvironment(String url, String reached)
      throws IOException {
    services(
        "# comment",
        "host=nobody",
        "[small]",
        "user=ci",
        "dbname=ci",
        "[prod]",
        "",
        "  host=prod  ",
        "# host=commented",
        "host=second",
        "port=5433",
        "dbname=shop",
        "user=me",
        "[prod]",
        "user=late");
    environment.putAll(
        Map.of("PGSERVICE", "prod", "PGHOST", "envhost", "PGPORT", "7", "PGUSER", "env"));
    assertThat(reached(url)).isEqualTo(reached);
  }

  @Test
  void whatTheServiceLeavesOutComesFromTheEnvironment() throws IOException {
    services("[half]", "host=h", "port=");
    environment.putAll(Map.of("PGSERVICE", "half", "PGPORT", "7", "PGUSER", "u", "PGHOST", "x"));
    assertThat(reached("")).isEqualTo("u@h:5432/u");
  }

  @Test
  void anEmptyVariableIsNotSet() {
    environment.putAll(
        Map.of("PGSERVICE", "", "PGHOST", "h", "PGPORT", "", "PGUSER", "u", "PGDATABASE", ""));
    environment.putAll(Map.of("PGSSLMODE", "", "PGSSLCRL", "", "PGHOSTADDR", ""));
    assertThat(reached("")).isEqualTo("u@h:5432/u");
  }

  @Test
  void theUsersFileComesBeforeTheSystems() throws IOException {
    services(home.resolve("etc/pg_service.conf"), "[a]", "host=system", "[b]", "host=system");
    services("[a]", "host=own");
    environment.put("PGUSER", "u");
    assertThat(reached("?service=a")).isEqualTo("u@own:5432/u");
    assertThat(reached("?service=b")).isEqualTo("u@system:5432/u");
    services(home.resolve("elsewhere"), "[a]", "host=elsewhere");
    environment.put("PGSERVICEFILE", home.resolve("elsewhere").toString());
    assertThat(reached("?service=a")).isEqualTo("u@elsewhere:5432/u");
    assertThat(reached("?service=b")).isEqualTo("u@system:5432/u");
    assertThat(reached("?service=a&servicefile=" + home.resolve(".pg_service.conf")))
        .isEqualTo("u@own:5432/u");
  }

  @Test
  void aServiceThatIsNowhereIsRefusedWithTheFilesThatWereLookedIn() throws IOException {
    services("[prod]", "host=h");
    environment.put("PGSERVICE", "prd");
    assertThat(refused("//localhost/db"))
        .hasMessage("There is no PostgreSQL service 'prd'.")
        .extracting(Fault::advice)
        .asString()
        .contains("[prd]", ".pg_service.conf", home.resolve("etc/pg_service.conf").toString());
    environment.put("PGSERVICEFILE", home.resolve("gone").toString());
    assertThat(refused("")).hasMessageContaining(home.resolve("gone") + " does not exist");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "service=other",
        "hsot=h",
        "host = h",
        PASSWORD,
        "ldap://server/" + PASSWORD,
        "pass word=" + PASSWORD
      })
  void aLineOfAServiceThatLibpqRefusesIsRefused(String line) throws IOException {
    services("[other]", "nonsense", "[prod]", "host=h", line);
    assertThat(refused("?service=prod")).hasMessageContaining(".pg_service.conf, line 5");
  }

  @Test
  void thePasswordIsTheUrlsThenTheServicesThenTheEnvironments() throws IOException {
    services("[prod]", "password=" + PASSWORD, "[bare]", "host=h");
    environment.put("PGPASSWORD", "environment");
    assertThat(password(endpoint("?service=prod"))).isEqualTo(PASSWORD);
    assertThat(password(endpoint("?service=bare"))).isEqualTo("environment");
    Endpoint own =
        new Endpoint("postgresql", "", Map.of("service", "prod"), Secret.of("connection"));
    assertThat(password(own)).isEqualTo("connection");
    environment.remove("PGPASSWORD");
    assertThat(password(endpoint("?service=bare"))).isNull();
  }

  private @Nullable String password(Endpoint endpoint) {
    return LibpqSettings.of(endpoint, environment::get).password().reveal();
  }

  @ParameterizedTest
  @CsvSource({
    "PGGSSENCMODE, require",
    "PGSSLSNI, 0",
    "PGLOADBALANCEHOSTS, random",
    "PGSSLMINPROTOCOLVERSION, TLSv1.3",
    "PGSSLCERTMODE, require",
    "PGHOST, 'a,b'",
    "PGPORT, '1,2'",
    "PGHOSTADDR, '127.0.0.1,127.0.0.2'",
    "PGHOSTADDR, localhost",
    "PGTARGETSESSIONATTRS, master",
    "PGCONNECT_TIMEOUT, soon",
    "PGSSLROOTCERT, system",
    "PGSSLMODE, verify"
  })
  void aVariableThatAsksForWhatIsNotDoneIsRefused(String variable, String value) {
    environment.put(variable, value);
    Fault.User fault =
        catchThrowableOfType(
            Fault.User.class, () -> new ConnectionFactory(endpoint(""), environment::get));
    assertThat(fault).as(variable).isNotNull();
    assertThat(fault.getMessage()).contains(value);
  }

  @Test
  void eachParameterThatIsNotObeyedIsRefusedWithItsNameAndWhatToDo() throws IOException {
    for (LibpqParameter parameter : LibpqParameter.ALL) {
      if (parameter.isFree()) {
        continue;
      }
      String keyword = parameter.keyword();
      List<String> values = parameter.supported();
      String shown = values.isEmpty() ? "" : "=x";
      String start = "\"" + keyword + shown + "\" is not supported. The ";
      assertThat(refused("?" + keyword + "=x")).hasMessageStartingWith(start + "URL has it");
      services("[s]", keyword + "=x");
      assertThat(refused("?service=s")).hasMessageStartingWith(start + "service has it");
      if (!parameter.variable().isEmpty()) {
        environment.put(parameter.variable(), "x");
        Fault.User fault = refused("");
        assertThat(fault)
            .hasMessageStartingWith(
                "\"" + parameter.variable() + shown + "\" is not supported. It is set, and psql");
        assertThat(fault.advice()).contains("env -u " + parameter.variable());
        environment.remove(parameter.variable());
      }
      for (String value : values) {
        assertThat(reached("//h/d?" + keyword + "=" + value)).contains("@h:");
      }
    }
    assertThat(refused("?sslpassword=" + PASSWORD)).hasMessageStartingWith("\"sslpassword\" is");
  }

  /// Whoever sets one of these may rely on it: that it is passed over would be a login that is less
  /// safe, or another server.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sslcrl",
        "sslcrldir",
        "sslpassword",
        "sslcertmode",
        "sslsni",
        "requirepeer",
        "gssencmode",
        "ssl_min_protocol_version",
        "ssl_max_protocol_version",
        "min_protocol_version",
        "gsslib",
        "gssdelegation",
        "load_balance_hosts",
        "replication",
        "scram_client_key",
        "scram_server_key",
        "oauth_issuer",
        "oauth_client_id",
        "oauth_client_secret",
        "oauth_scope"
      })
  void whatIsNotObeyedIsNeverPassedOver(String keyword) {
    Fault.User fault = refused("//h/d?" + keyword + "=" + PASSWORD.replace(":", ""));
    assertThat(fault).hasMessageContaining("is not supported");
    assertThat(fault.advice()).startsWith("Leave it out");
  }

  @Test
  void whatHasNoEffectIsTakenInPeace() throws IOException {
    services("[s]", "keepalives=0", "tcp_user_timeout=3");
    environment.putAll(Map.of("PGTZ", "CET", "PGDATESTYLE", "German", "PGLOCALEDIR", "/l"));
    environment.put("PGCLIENTENCODING", "LATIN1");
    assertThat(reached("//u@h/d?service=s&sslcompression=1")).isEqualTo("u@h:5432/d");
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', prefer",
    "1, '', require",
    "0, '', prefer",
    "1, disable, disable",
    "'', verify-full, verify-full"
  })
  void theOldVariableForTlsCountsUnlessTheModeIsGiven(String old, String mode, String held) {
    environment.put("PGREQUIRESSL", old);
    environment.put("PGSSLMODE", mode);
    assertThat(Address.of(endpoint("//h/d"), environment::get).tls())
        .containsEntry("sslmode", held);
  }

  @Test
  void tlsThatIsRequiredIsCheckedAgainstTheAuthoritiesThatThereAre() throws IOException {
    Endpoint endpoint = endpoint("//h/d?sslmode=require");
    assertThat(Address.of(endpoint, environment::get).driverMode(environment::get))
        .isEqualTo("require");
    Path file = home.resolve(".postgresql/root.crt");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    assertThat(Address.of(endpoint, environment::get).driverMode(environment::get))
        .isEqualTo("verify-ca");
  }

  @Test
  void theServerIsToldWhatTheUserAsksFor() throws IOException {
    TestDatabase database = TestDatabase.make();
    database.sql("DROP ROLE IF EXISTS libpq_role", "CREATE ROLE libpq_role");
    services(
        "[here]",
        "host=no.such.host.invalid",
        "hostaddr=127.0.0.1",
        "port=" + database.server.port(),
        "user=postgres",
        "dbname=" + database.name,
        "options=-c role=libpq_role -c statement_timeout=77 -c TimeZone=CET",
        "application_name=loader",
        "connect_timeout=9",
        "target_session_attrs=read-write");
    environment.put("PGSERVICE", "here");
    environment.put("PGGEQO", "off");
    assertThat(seen(endpoint(""))).isEqualTo(database.name + " libpq_role loader 0 UTC off");
    assertThat(seen(endpoint("?options=&application_name=&fallback_application_name=mine")))
        .isEqualTo(database.name + " postgres mine 0 UTC off");
    Fault.User fault =
        catchThrowableOfType(
            Fault.User.class, () -> seen(endpoint("?target_session_attrs=standby")));
    assertThat(fault).hasMessageContaining("target_session_attrs=standby");
  }

  private String seen(Endpoint endpoint) {
    try (Session session = new ConnectionFactory(endpoint, environment::get).connect()) {
      return session.one(
          Stream.of("role", "application_name", "statement_timeout", "TimeZone", "geqo")
              .map(name -> "replace(current_setting('" + name + "'), 'none', current_user)")
              .collect(Collectors.joining(", ", "SELECT concat_ws(' ', current_database(), ", ")")),
          row -> row.getString(1));
    }
  }
}
