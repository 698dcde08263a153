package millrace.connectors.postgres.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.TestDatabase;
import millrace.connectors.postgres.TestPooler;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.network.TestCertificates;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How a connection comes about: where the password is found, what TLS checks, and what a user is
/// told when there is none.
class ConnectionFactoryTest {

  private static final String USER = "dials";
  private static final String PASSWORD = "s3:cret\\wo rd";
  private static final TestDatabase DATABASE = TestDatabase.embedded();

  @TempDir private static Path certificates;
  private static Path authority;
  private static Path otherAuthority;

  @TempDir private Path home;

  private final Map<String, String> environment = new HashMap<>();

  @BeforeAll
  static void makeUserAndCertificates() throws IOException {
    DATABASE.sql(
        "CREATE ROLE "
            + USER
            + " LOGIN PASSWORD "
            + PostgresSql.text(PASSWORD)
            + " IN ROLE needs_password",
        "CREATE TABLE orders AS SELECT 1 AS n",
        "GRANT SELECT ON orders TO " + USER);
    TestCertificates own = new TestCertificates(Files.createDirectory(certificates.resolve("own")));
    authority = own.authority();
    otherAuthority =
        new TestCertificates(Files.createDirectory(certificates.resolve("other"))).authority();
    List<String> keyAndCertificate = own.server("localhost");
    serverFile("dial.key", keyAndCertificate.getFirst());
    serverFile("dial.pem", keyAndCertificate.getLast());
    DATABASE.sql(
        "ALTER SYSTEM SET ssl_key_file = 'dial.key'",
        "ALTER SYSTEM SET ssl_cert_file = 'dial.pem'");
    switchTls("on");
  }

  @AfterAll
  static void switchTlsOff() {
    switchTls("off");
    DATABASE.sql("DROP TABLE orders", "DROP ROLE " + USER);
  }

  /// Writes a file as the server's own user, who alone may read it.
  private static void serverFile(String name, String text) {
    DATABASE.sql(
        "COPY (SELECT unnest(string_to_array("
            + PostgresSql.text(text)
            + ", E'\\n'))) TO PROGRAM 'umask 077; cat > "
            + name
            + "'");
  }

  /// Waits until new connections see the change.
  private static void switchTls(String state) {
    DATABASE.sql("ALTER SYSTEM SET ssl = " + state, "SELECT pg_reload_conf()");
    String seen;
    do {
      try (Session session =
          new ConnectionFactory(DATABASE.endpoint(Map.of()), Map.of("HOME", "/")::get).connect()) {
        seen = session.one("SHOW ssl", row -> row.getString(1));
      }
    } while (!state.equals(seen));
  }

  private Endpoint endpoint(String user, String host, String database, Map<String, String> tls) {
    return new Endpoint(
        "postgresql",
        "//" + user + "@" + host + ":" + DATABASE.server.port() + "/" + database,
        tls,
        Secret.NONE);
  }

  private Endpoint endpoint() {
    return endpoint(USER, "localhost", DATABASE.name, Map.of());
  }

  private String whoAmI(Endpoint endpoint) {
    environment.putIfAbsent("HOME", home.toString());
    try (Session session = new ConnectionFactory(endpoint, environment::get).connect()) {
      return session.one(
          "SELECT current_user || CASE WHEN ssl THEN ' by TLS' ELSE '' END FROM pg_stat_ssl WHERE"
              + " pid = pg_backend_pid()",
          row -> row.getString(1));
    }
  }

  /// Every fault is one line of the message, without a password.
  private <T extends Fault> T refused(Class<T> type, Endpoint endpoint) {
    T fault = catchThrowableOfType(type, () -> whoAmI(endpoint));
    assertThat(fault).as("a fault of %s", type).isNotNull();
    for (Throwable one = fault; one != null; one = one.getCause()) {
      assertThat(String.valueOf(one.getMessage())).doesNotContain("s3:cret", "s3\\:cret", "wo rd");
    }
    assertThat(fault.getMessage()).doesNotContain("\n", "Exception");
    assertThat(fault.advice()).isNotEmpty();
    return fault;
  }

  private void passwordFile(Path file, String mode, String... lines) throws IOException {
    Files.write(file, List.of(lines));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private static final String ESCAPED = "s3\\:cret\\\\wo rd";

  private static Endpoint through(TestPooler pooler) {
    return new Endpoint(
        "postgresql",
        "//postgres@localhost:" + pooler.port() + "/" + DATABASE.name,
        Map.of(),
        Secret.NONE);
  }

  /// It keeps waiting who comes too many, without a word.
  @Test
  void aPoolerWithOneSessionIsToldToBeTooSmall() throws IOException {
    try (TestPooler pooler = new TestPooler(DATABASE, false, 1)) {
      Fault.Transient fault = refused(Fault.Transient.class, through(pooler));
      assertThat(fault)
          .hasMessage(
              "localhost:" + pooler.port() + " is a connection pooler and has no session left.");
      assertThat(fault.advice()).contains("needs 2 at a time", "default_pool_size");
    }
  }

  @Test
  void aLaneGetsTheSessionOfAPoolerThatOnlyCounted() throws IOException {
    try (TestPooler pooler = new TestPooler(DATABASE, false, 2)) {
      ConnectionFactory connectionFactory =
          new ConnectionFactory(through(pooler), environment::get);
      try (Session _ = connectionFactory.connect();
          Session counts = connectionFactory.aside();
          Session lane = connectionFactory.connect()) {
        assertThat(counts.isTakenAway()).isTrue();
        lane.execute("SELECT");
        assertThatThrownBy(connectionFactory::aside).isInstanceOf(Fault.Transient.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPoolerIsRefusedThatSharesSessionsAndTakenWhereItKeepsThemApart(boolean shares)
      throws IOException {
    try (TestPooler pooler = new TestPooler(DATABASE, shares)) {
      Endpoint after = through(pooler);
      if (shares) {
        Fault.User fault = refused(Fault.User.class, after);
        assertThat(fault.getMessage())
            .contains("localhost:" + pooler.port())
            .contains("pooler that shares the server's sessions");
        assertThat(fault.advice()).contains("pool_mode=session");
      } else {
        assertThat(whoAmI(after)).isEqualTo("postgres");
        try (Session session = new ConnectionFactory(after, environment::get).connect()) {
          int process = session.one("SELECT pg_backend_pid()", row -> row.getInt(1));
          assertThat(process).isEqualTo(session.process());
        }
      }
    }
  }

  @Test
  void settingsOfTheUserThatWouldEndOrMisleadACopyDoNotHold() {
    environment.put("PGPASSWORD", PASSWORD);
    Map<String, String> held =
        Map.of(
            "default_transaction_isolation",
            "read committed",
            "statement_timeout",
            "0",
            "lock_timeout",
            "0",
            "idle_in_transaction_session_timeout",
            "0");
    held.forEach((setting, value) ->
        DATABASE.sql(
            "ALTER ROLE "
                + USER
                + " SET "
                + setting
                + (value.equals("0") ? " = 12345" : " = 'serializable'")));
    if (DATABASE.server.version() >= 140_000) {
      DATABASE.sql("ALTER ROLE " + USER + " SET idle_session_timeout = 12345");
    }
    try (Session session = new ConnectionFactory(endpoint(), environment::get).connect()) {
      held.forEach((setting, value) -> {
        String now = session.one("SHOW " + setting, row -> row.getString(1));
        assertThat(now).isEqualTo(value);
      });
      String idle =
          session.one(
              "SELECT coalesce(current_setting('idle_session_timeout', true), '0')",
              row -> row.getString(1));
      assertThat(idle).isEqualTo("0");
    } finally {
      DATABASE.sql("ALTER ROLE " + USER + " RESET ALL");
    }
  }

  @Test
  void thePasswordOfTheEnvironmentIsUsed() {
    environment.put("PGPASSWORD", PASSWORD);
    assertThat(whoAmI(endpoint())).startsWith(USER);
  }

  @Test
  void thePasswordOfTheConnectionWinsOverTheEnvironment() {
    environment.put("PGPASSWORD", "wrong");
    assertThat(whoAmI(DATABASE.as(USER, Secret.of(PASSWORD), Map.of()))).startsWith(USER);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:PORT:DATABASE:dials:PASSWORD",
    "*:*:*:*:PASSWORD",
    "*:*:*:dials:PASSWORD",
    "local\\host:*:*:\\d\\i\\als:PASSWORD"
  })
  void aLineOfThePasswordFileThatMatchesIsUsed(String line) throws IOException {
    String filled =
        line.replace("PORT", Integer.toString(DATABASE.server.port()))
            .replace("DATABASE", DATABASE.name)
            .replace("PASSWORD", ESCAPED);
    passwordFile(
        home.resolve(".pgpass"),
        "rw-------",
        "# localhost:*:*:dials:comment",
        "",
        "too:few",
        "otherhost:*:*:*:wrong",
        "*:1:*:*:wrong",
        "*:*:other:*:wrong",
        "*:*:*:other:wrong",
        "\\*:*:*:*:wrong",
        filled,
        "*:*:*:*:wrong");
    assertThat(whoAmI(endpoint())).startsWith(USER);
  }

  @Test
  void anotherPasswordFileCanBeNamed() throws IOException {
    Path file = home.resolve("elsewhere");
    passwordFile(file, "rw-------", "*:*:*:*:" + ESCAPED);
    passwordFile(home.resolve(".pgpass"), "rw-------", "*:*:*:*:wrong");
    environment.put("PGPASSFILE", file.toString());
    assertThat(whoAmI(endpoint())).startsWith(USER);
  }

  @ParameterizedTest
  @CsvSource({"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
  void aPasswordFileThatOthersMayReadIsNotUsedAndTheMessageSaysSo(String mode) throws IOException {
    passwordFile(home.resolve(".pgpass"), mode, "*:*:*:*:" + ESCAPED);
    Fault.User fault = refused(Fault.User.class, endpoint());
    assertThat(fault)
        .hasMessageContaining("password of user " + USER)
        .hasMessageContaining(".pgpass was not used")
        .hasMessageContaining("chmod 600");
  }

  @Test
  void withoutAnyPasswordTheUserIsToldWhereToPutOne() {
    Fault.User fault = refused(Fault.User.class, endpoint());
    assertThat(fault)
        .hasMessageContaining("localhost:" + DATABASE.server.port())
        .hasMessageContaining(USER);
    assertThat(fault.advice()).contains("PGPASSWORD", "~/.pgpass");
  }

  @Test
  void aWrongPasswordIsCalledThat() {
    environment.put("PGPASSWORD", PASSWORD + "x");
    assertThat(refused(Fault.User.class, endpoint()))
        .hasMessageStartingWith("Wrong password for user " + USER);
  }

  /// Asks on a terminal, as `script` of util-linux makes one.
  @Test
  void onATerminalThePasswordIsAskedForAndNotShown() throws IOException, InterruptedException {
    String java =
        Path.of(System.getProperty("java.home"), "bin", "java")
            + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '"
            + System.getProperty("java.class.path")
            + "' '"
            + Asked.class.getName()
            + "' "
            + endpoint().location();
    ProcessBuilder builder = new ProcessBuilder("script", "-qec", java, "/dev/null");
    builder.environment().put("HOME", home.toString());
    builder.environment().remove("PGPASSWORD");
    builder.redirectErrorStream(true);
    Process process = builder.start();
    StringBuilder said = new StringBuilder();
    int next;
    while ((next = process.getInputStream().read()) >= 0) {
      said.append((char) next);
      if (said.toString().endsWith(DATABASE.server.port() + ": ")) {
        process.getOutputStream().write((PASSWORD + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      }
    }
    process.waitFor();
    assertThat(said.toString())
        .startsWith("Password for user " + USER + " at localhost:")
        .contains("connected once and once more")
        .doesNotContain("s3:cret");
  }

  /// Connects twice, and says so.
  static final class Asked {
    private Asked() {}

    public static void main(String[] args) {
      ConnectionFactory connectionFactory =
          new ConnectionFactory(
              new Endpoint("postgresql", args[0], Map.of(), Secret.NONE), System::getenv);
      try (Session first = connectionFactory.connect();
          Session second = connectionFactory.connect()) {
        String words = "SELECT 'once'";
        System.out.println(
            "connected "
                + first.one(words, row -> row.getString(1))
                + " and "
                + second.one(words, row -> row.getString(1))
                + " more");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, verify-full",
    "localhost, verify-ca",
    "127.0.0.1, verify-ca",
    "localhost, require",
    "localhost, prefer"
  })
  void tlsIsUsedWhereTheCertificateIsWhatTheModeAsksFor(String host, String mode) {
    environment.put("PGPASSWORD", PASSWORD);
    Map<String, String> tls = Map.of("sslmode", mode, "sslrootcert", authority.toString());
    assertThat(whoAmI(endpoint(USER, host, DATABASE.name, tls))).isEqualTo(USER + " by TLS");
  }

  @Test
  void theEnvironmentSaysWhatTlsChecksWhereTheUrlDoesNot() {
    environment.put("PGPASSWORD", PASSWORD);
    environment.put("PGSSLMODE", "verify-full");
    environment.put("PGSSLROOTCERT", otherAuthority.toString());
    refused(Fault.External.class, endpoint());
    Map<String, String> tls = Map.of("sslrootcert", authority.toString());
    assertThat(whoAmI(endpoint(USER, "localhost", DATABASE.name, tls))).isEqualTo(USER + " by TLS");
  }

  @Test
  void aServerOfAnotherNameIsRefused() {
    environment.put("PGPASSWORD", PASSWORD);
    Map<String, String> tls = Map.of("sslmode", "verify-full", "sslrootcert", authority.toString());
    Fault.External fault =
        refused(Fault.External.class, endpoint(USER, "127.0.0.1", DATABASE.name, tls));
    assertThat(fault)
        .hasMessageContaining("No TLS connection to 127.0.0.1")
        .hasMessageContaining("hostname 127.0.0.1");
    assertThat(fault.advice()).contains("sslmode=verify-full");
  }

  @ParameterizedTest
  @CsvSource({"verify-full", "verify-ca"})
  void anAuthorityThatIsNotTrustedIsRefused(String mode) {
    environment.put("PGPASSWORD", PASSWORD);
    Map<String, String> tls = Map.of("sslmode", mode, "sslrootcert", otherAuthority.toString());
    Fault.External fault =
        refused(Fault.External.class, endpoint(USER, "localhost", DATABASE.name, tls));
    assertThat(fault)
        .hasMessageContaining("No TLS connection to localhost")
        .hasMessageContaining("not signed by an authority in " + otherAuthority);
  }

  @Test
  void aFileOfAuthoritiesThatIsMissingIsNamed() {
    environment.put("PGPASSWORD", PASSWORD);
    Map<String, String> tls = Map.of("sslmode", "verify-full", "sslrootcert", "/no/such/ca.pem");
    assertThat(refused(Fault.class, endpoint(USER, "localhost", DATABASE.name, tls)))
        .hasMessageContaining("/no/such/ca.pem");
  }

  @Test
  void aServerWithoutTlsIsRefusedWhereTlsIsAskedFor() {
    environment.put("PGPASSWORD", PASSWORD);
    switchTls("off");
    try {
      for (String mode : List.of("require", "verify-ca", "verify-full")) {
        Map<String, String> tls = Map.of("sslmode", mode, "sslrootcert", authority.toString());
        Fault.External fault =
            refused(Fault.External.class, endpoint(USER, "localhost", DATABASE.name, tls));
        assertThat(fault).hasMessageContaining("No TLS connection to localhost");
        assertThat(fault.advice()).contains("sslmode=" + mode);
      }
      assertThat(whoAmI(endpoint())).isEqualTo(USER);
    } finally {
      switchTls("on");
    }
  }

  /// The driver would take port 5432 for the first, where libpq takes one port for all.
  @ParameterizedTest
  @CsvSource({"'localhost,127.0.0.1', ''", "'localhost:1,127.0.0.1', ''", "localhost, '1,5432'"})
  void severalServersAtOnceAreRefused(String hosts, String ports) {
    environment.put("PGPORT", ports);
    String location = "//" + USER + "@" + hosts + (ports.isEmpty() ? ":5432/" : "/");
    Endpoint several = new Endpoint("postgresql", location, Map.of(), Secret.NONE);
    assertThat(refused(Fault.User.class, several))
        .hasMessageContaining("Several PostgreSQL servers");
    environment.put("PGHOST", hosts + ",localhost");
    Endpoint none = new Endpoint("postgresql", "", Map.of(), Secret.NONE);
    assertThat(refused(Fault.User.class, none)).hasMessageContaining("Several PostgreSQL servers");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost%2FDATABASE%3Fsslmode=disable%26x=",
        "localhost%3Fsslmode=disable%26x=",
        "localhost%2FDATABASE%23",
        "localhost%20",
        "%0Alocalhost"
      })
  void aHostThatWouldSayMoreToTheDriverThanItsNameIsRefused(String host) {
    environment.put("PGPASSWORD", PASSWORD);
    Map<String, String> tls =
        Map.of("sslmode", "verify-full", "sslrootcert", otherAuthority.toString());
    String named = host.replace("DATABASE", DATABASE.name);
    Fault.User fault =
        refused(Fault.User.class, endpoint(USER, named.replace("=", "%3D"), DATABASE.name, tls));
    assertThat(fault).hasMessageContaining("no host named");
    environment.put("PGHOST", URLDecoder.decode(named, StandardCharsets.UTF_8));
    refused(Fault.User.class, endpoint(USER, "", DATABASE.name, tls));
  }

  @Test
  void aDatabaseOrUserOfAnyNameSaysNoMoreToTheDriver() {
    environment.put("PGPASSWORD", PASSWORD);
    Map<String, String> tls =
        Map.of("sslmode", "verify-full", "sslrootcert", otherAuthority.toString());
    String more = "%3Fsslmode%3Ddisable%26user%3Dpostgres";
    refused(Fault.External.class, endpoint(USER, "localhost", DATABASE.name + more, tls));
    refused(Fault.External.class, endpoint(USER + more, "localhost", DATABASE.name, tls));
  }

  @Test
  void aModeThatDoesNotExistIsRefusedByName() {
    Fault.User fault =
        refused(
            Fault.User.class,
            endpoint(USER, "localhost", DATABASE.name, Map.of("sslmode", "verify-fully")));
    assertThat(fault).hasMessageContaining("sslmode=verify-fully");
    assertThat(fault.advice()).contains("verify-full");
  }

  @Test
  void aDatabaseThatDoesNotExistIsNamed() {
    environment.put("PGPASSWORD", PASSWORD);
    assertThat(refused(Fault.User.class, endpoint(USER, "localhost", "no such%2Fdb", Map.of())))
        .hasMessageStartingWith("There is no database no such/db at localhost:");
  }

  @Test
  void aUserWhoDoesNotExistIsNamed() {
    assertThat(
            refused(
                Fault.User.class, endpoint("nobody%20here", "localhost", DATABASE.name, Map.of())))
        .hasMessageContaining("nobody here");
  }

  @Test
  void whereNobodyListensTheAddressIsNamed() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }
    Endpoint nowhere =
        new Endpoint("postgresql", "//me@localhost:" + port + "/db", Map.of(), Secret.of(PASSWORD));
    assertThat(refused(Fault.Transient.class, nowhere))
        .hasMessageContaining("No PostgreSQL server answers at localhost:" + port);
    Endpoint unknown =
        new Endpoint("postgresql", "//me@no-such-host.invalid/db", Map.of(), Secret.of(PASSWORD));
    assertThat(refused(Fault.User.class, unknown)).hasMessageContaining("no-such-host.invalid");
  }

  @Test
  void aFirstConnectionThatIsResetMayBeTriedAgain() {
    try (FaultyProxy proxy =
        new FaultyProxy(
            DATABASE.server.host(), DATABASE.server.port(), _ -> new ConnectionFault.None())) {
      proxy.refuse(true);
      Endpoint endpoint =
          new Endpoint(
              "postgresql",
              "//me@localhost:" + proxy.port() + "/db",
              Map.of(),
              Secret.of(PASSWORD));
      assertThat(refused(Fault.Transient.class, endpoint))
          .hasMessageContaining("localhost:" + proxy.port());
    }
  }

  /// Else a lane would go on behind rows that a crash of the server takes back.
  @Test
  void whatIsCommittedIsOnTheServersDiskWhateverTheDatabaseSays() {
    DATABASE.sql("ALTER DATABASE " + DATABASE.name + " SET synchronous_commit = off");
    try {
      environment.put("HOME", home.toString());
      environment.put("PGPASSWORD", PASSWORD);
      try (Session session = new ConnectionFactory(endpoint(), environment::get).connect()) {
        String setting = session.one("SHOW synchronous_commit", row -> row.getString(1));
        assertThat(setting).isEqualTo("on");
      }
    } finally {
      DATABASE.sql("ALTER DATABASE " + DATABASE.name + " RESET synchronous_commit");
    }
  }

  @Test
  void aServerOfThisMachineIsReachedThroughItsSocket() {
    assertThat(hears(endpoint(USER, "%2Ftmp", DATABASE.name, Map.of()))).isEqualTo("a socket");
    // Nobody can listen there, so nothing is encrypted.
    Map<String, String> tls = Map.of("sslmode", "verify-full");
    assertThat(hears(endpoint(USER, "%2Ftmp", DATABASE.name, tls))).isEqualTo("a socket");
    Endpoint bare =
        new Endpoint("postgresql", "//" + USER + "@/" + DATABASE.name, Map.of(), Secret.NONE);
    environment.put("PGPORT", String.valueOf(DATABASE.server.port()));
    assertThat(hears(bare)).isEqualTo("a socket");
    environment.put("PGHOST", "/tmp");
    assertThat(hears(bare)).isEqualTo("a socket");
    environment.put("PGPASSWORD", PASSWORD);
    environment.put("PGHOST", "localhost");
    assertThat(hears(bare)).isEqualTo("an address");
  }

  /// What the server was reached through.
  private String hears(Endpoint endpoint) {
    environment.putIfAbsent("HOME", home.toString());
    try (Session session = new ConnectionFactory(endpoint, environment::get).connect()) {
      return session.one(
          "SELECT CASE WHEN inet_server_addr() IS NULL THEN 'a socket' ELSE 'an address' END",
          row -> row.getString(1));
    }
  }

  @Test
  void aSocketThatIsNotThereIsNamed() {
    Endpoint endpoint = endpoint(USER, "%2Fno%2Fsuch%20folder", DATABASE.name, Map.of());
    Fault.Transient fault = refused(Fault.Transient.class, endpoint);
    assertThat(fault)
        .hasMessageContaining(
            "No PostgreSQL server answers at /no/such folder:" + DATABASE.server.port());
  }

  @ParameterizedTest
  @CsvSource({
    "ordres, Did you mean 'orders'",
    "public.order, Did you mean 'public.orders'",
    "shop.orders, There is public.orders",
    "zzzzzzzzz, List the tables"
  })
  void aTableThatDoesNotExistIsNamedWithTheNearest(String table, String hint) {
    assertThatThrownBy(() ->
            new PostgresConnector()
                .source(DATABASE.table(table), Selection.ALL, new OpenContext())
                .close())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no table " + table + " in database " + DATABASE.name)
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains(hint);
  }

  @ParameterizedTest
  @CsvSource({
    "//u@h:x/d, no address",
    "//u@h:0/d, no address",
    "//u@h:70000/d, no address",
    "//a@b@c/d, no address",
    "u@h, no address"
  })
  void anAddressThatIsNoneIsRefused(String location, String said) {
    Endpoint endpoint = new Endpoint("postgresql", location, Map.of(), Secret.NONE);
    assertThat(refused(Fault.User.class, endpoint)).hasMessageContaining(said);
  }
}
