package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.engine.Account;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The ways to name a server and a user, and that what a session is set to changes no value.
class OracleConnectingTest {

  private static final OracleServer SERVER = OracleServer.start();
  private static final String STORE_PASSWORD = "storepass1";

  private static final Schema NUMBERS = Schema.of(List.of(Column.of("id", new Type.Int(32))));

  @TempDir private Path folder;

  private final MemoryConnector memory = new MemoryConnector();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() {
    SERVER.log().clear();
    memory.put("rows", NUMBERS, List.of(Row.of(1), Row.of(2)));
  }

  private static Endpoint at(OracleServer server, String location, String... parameters) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      all.put(parameters[i], parameters[i + 1]);
    }
    return new Endpoint("oracle", location, all, Secret.of(server.password()));
  }

  private void load(Endpoint end, Map<String, String> environment) {
    Copying.of(memory, memory.endpoint("rows"), new OracleConnector(environment::get), end)
        .mode(Mode.REPLACE)
        .run();
  }

  private static List<String> users(OracleServer server) {
    return server.log().events(LogEvent.LoggedOn.class).stream()
        .map(LogEvent.LoggedOn::user)
        .distinct()
        .toList();
  }

  private void tnsNames(String name, OracleServer server) throws IOException {
    Files.writeString(
        folder.resolve("tnsnames.ora"),
        """
        # of the tests
        %s =
          (DESCRIPTION =
            (ADDRESS = (PROTOCOL = TCP)(HOST = %s)(PORT = %d))
            (CONNECT_DATA = (SERVICE_NAME = %s)))
        """
            .formatted(name, server.host(), server.port(), server.service()));
  }

  @Test
  void namesOfTnsComeFromTheFolderOfTheEnvironmentOrOfTheUrl() throws IOException {
    tnsNames("PROD.EXAMPLE", SERVER);
    Endpoint named = at(SERVER, "//scott@", "tns", "prod.example", "table", "t");
    load(named, Map.of("TNS_ADMIN", folder.toString()));
    Endpoint withFolder =
        at(SERVER, "//scott@", "tns", "PROD.EXAMPLE", "tns-admin", folder.toString(), "table", "t");
    load(withFolder, Map.of("TNS_ADMIN", "/nonexistent"));
    assertThat(users(SERVER)).containsExactly("SCOTT");
  }

  @Test
  void thePluggableDatabaseOfTheEnvironmentIsTheServiceIfTheUrlNamesNone() {
    String server = "//scott@" + SERVER.host() + ":" + SERVER.port();
    load(at(SERVER, server, "table", "t"), Map.of("ORACLE_PDB", SERVER.service()));
    load(
        at(SERVER, server + "/" + SERVER.service(), "table", "t"), Map.of("ORACLE_PDB", "ANOTHER"));
    assertThatThrownBy(() -> load(at(SERVER, server, "table", "t"), Map.of("ORACLE_PDB", "NONE")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("knows no service NONE");
    assertThatThrownBy(() -> load(at(SERVER, server, "table", "t"), Map.of()))
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("ORACLE_PDB"));
  }

  @Test
  void aProxyWorksInTheSchemaOfTheOther() {
    SERVER.put(new Account("APP", "unknown", Account.State.OPEN));
    SERVER.letProxy("APP", "SCOTT");
    String server = "//scott@" + SERVER.host() + ":" + SERVER.port() + "/" + SERVER.service();
    load(at(SERVER, server, "table", "mine", "proxy-for", "app"), Map.of());
    assertThat(SERVER.log().statements())
        .anyMatch(sql -> sql.startsWith("CREATE TABLE \"APP\".\"MINE_"));
    SERVER.put(new Account("OTHER", "unknown", Account.State.OPEN));
    Endpoint forbidden = at(SERVER, server, "table", "mine", "proxy-for", "other");
    assertThatThrownBy(() -> load(forbidden, Map.of()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("ORA-28150")
        .hasMessageNotContaining(SERVER.password());
  }

  /// A key with a certificate that it has signed itself, in a store of keytool's.
  private KeyStore store() throws IOException, GeneralSecurityException {
    Path file = folder.resolve("store.p12");
    run(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "server",
        "-keyalg",
        "RSA",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-storepass",
        STORE_PASSWORD,
        "-keystore",
        file.toString());
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, STORE_PASSWORD.toCharArray());
    }
    return store;
  }

  private static void run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static SSLContext context(KeyStore store) throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, STORE_PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  @Test
  void tlsTakesTheCertificateThatTheWalletHasAndNoOther()
      throws IOException, GeneralSecurityException {
    KeyStore store = store();
    Path texts = Files.createDirectory(folder.resolve("texts"));
    Path certificate = texts.resolve("ewallet.pem");
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    Files.writeString(
        certificate,
        "-----BEGIN CERTIFICATE-----\n"
            + lines.encodeToString(store.getCertificate("server").getEncoded())
            + "\n-----END CERTIFICATE-----\n");
    Path wallet = Files.createDirectory(folder.resolve("wallet"));
    wallet("wallet", "create", "-wallet", wallet.toString(), "-auto_login_only");
    wallet(
        "wallet",
        "add",
        "-wallet",
        wallet.toString(),
        "-trusted_cert",
        "-cert",
        certificate.toString(),
        "-auto_login_only");
    try (OracleServer server = OracleServer.startWithTls(context(store))) {
      String place = "//scott@" + server.host() + ":" + server.port() + "/" + server.service();
      for (Path each : List.of(texts, wallet)) {
        server.log().clear();
        Endpoint end = at(server, place, "table", "t", "tls", "true", "wallet", each.toString());
        load(end, Map.of());
        assertThat(users(server)).as("%s", each).containsExactly("SCOTT");
      }
      assertThatThrownBy(() -> load(at(server, place, "table", "t", "tls", "true"), Map.of()))
          .isInstanceOfSatisfying(
              Fault.External.class, fault -> assertThat(fault.advice()).contains("wallet="))
          .hasMessageContaining("No TLS connection");
      String empty = Files.createDirectory(folder.resolve("empty")).toString();
      Endpoint without = at(server, place, "table", "t", "tls", "true", "wallet", empty);
      assertThatThrownBy(() -> load(without, Map.of()))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("no wallet in");
    }
  }

  /// Oracle's own program for wallets.
  private static void wallet(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("oracle.security.pki.textui.OraclePKITextUI");
    command.addAll(List.of(words));
    run(command.toArray(String[]::new));
  }

  /// A wallet may have the user and the password of a name of TNS.
  @Test
  void aWalletNamesTheUserIfTheUrlNamesNone() throws IOException {
    tnsNames("PROD", SERVER);
    Path wallet = Files.createDirectory(folder.resolve("wallet"));
    wallet("wallet", "create", "-wallet", wallet.toString(), "-pwd", STORE_PASSWORD, "-auto_login");
    wallet(
        "secretstore",
        "create_credential",
        "-wallet",
        wallet.toString(),
        "-connect_string",
        "PROD",
        "-username",
        "scott",
        "-password",
        SERVER.password(),
        "-pwd",
        STORE_PASSWORD);
    Endpoint end =
        new Endpoint(
            "oracle",
            "//",
            Map.of(
                "tns",
                "PROD",
                "tns-admin",
                folder.toString(),
                "wallet",
                wallet.toString(),
                "table",
                "t"),
            Secret.NONE);
    load(end, Map.of());
    assertThat(users(SERVER)).containsExactly("SCOTT");
  }

  @Test
  void theZoneAndTheLanguageOfThisMachineChangeNothing() {
    Schema schema =
        Schema.of(
            List.of(
                Column.of("id", new Type.Int(32)),
                Column.of("d", new Type.Date()),
                Column.of("ts", new Type.Timestamp(false)),
                Column.of("tz", new Type.Timestamp(true)),
                Column.of("n", new Type.Decimal(9, 2)),
                Column.of("f", new Type.Float(64)),
                Column.of("i", Type.Text.UNLIMITED)));
    List<Row> rows =
        List.of(
            Row.of(1, 9_500, 821_000_000_123_456L, 821_000_000_123_456L, 150, 0.5, "Iı"),
            // An hour that the clocks of the zone skip.
            Row.of(2, 9_583, 828_066_600_000_000L, 828_066_600_000_000L, -1, -1e300, "ß"));
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    String place = "//scott@" + SERVER.host() + ":" + SERVER.port() + "/" + SERVER.service();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      memory.put("rows", schema, rows);
      load(at(SERVER, place, "table", "zones"), Map.of());
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
      Locale.setDefault(Locale.GERMANY);
      memory.put("back", schema, List.of());
      Copying.of(
              new OracleConnector(_ -> null),
              at(SERVER, place, "table", "zones"),
              memory,
              memory.endpoint("back"))
          .mode(Mode.APPEND)
          .run();
      RowCheck.sameRows(schema, rows, memory.rows("back"));
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
  }

  @Test
  void eachSessionIsSetBeforeItDoesAnything() {
    String place = "//scott@" + SERVER.host() + ":" + SERVER.port() + "/" + SERVER.service();
    load(at(SERVER, place, "table", "t"), Map.of());
    load(at(SERVER, place, "table", "t"), Map.of());
    List<LogEvent.Executed> executed = SERVER.log().events(LogEvent.Executed.class);
    List<Long> sessions = executed.stream().map(LogEvent.Executed::session).distinct().toList();
    assertThat(sessions).hasSizeGreaterThan(1);
    for (long session : sessions) {
      assertThat(executed.stream().filter(each -> each.session() == session).findFirst())
          .hasValueSatisfying(first ->
              assertThat(first.sql())
                  .startsWith("ALTER SESSION SET")
                  .contains(
                      "TIME_ZONE = '+00:00'",
                      "NLS_NUMERIC_CHARACTERS = '.,'",
                      "NLS_LENGTH_SEMANTICS = 'BYTE'",
                      "RECYCLEBIN = OFF"));
    }
    assertThat(executed).anyMatch(each -> each.sql().startsWith("DROP TABLE"));
  }
}
