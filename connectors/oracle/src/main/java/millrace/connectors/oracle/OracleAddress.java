package millrace.connectors.oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import millrace.connectors.sql.ServerAddress;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;

/// Where a database is, and who asks.
///
/// @param at host, port, service, user and password; of a TNS name only user and password count
/// @param tns a name of tnsnames.ora, or empty
/// @param tls whether the connection is encrypted by TLS
record OracleAddress(ServerAddress at, String tns, boolean tls) {

  static final int PORT = 1521;
  private static final int TLS_PORT = 2484;

  /// Larger packets than the driver's 8 kB: fewer system calls for the same rows.
  private static final int SDU = 65_535;

  private static final Pattern SERVICE = Pattern.compile("[\\w.$#-]+");
  private static final Pattern TNS_NAME = Pattern.compile("[\\w.$#-]+");

  static OracleAddress of(Endpoint endpoint, Function<String, @Nullable String> environment) {
    String location = endpoint.location();
    if (!location.startsWith("//") || location.matches("//[^@]*/[^@]*@.*")) {
      throw other(endpoint);
    }
    boolean tls = endpoint.flag("tls", false);
    String password = environment.apply("ORACLE_PASSWORD");
    ServerAddress at =
        ServerAddress.of(
            endpoint,
            new ServerAddress.Defaults(
                "Oracle",
                tls ? TLS_PORT : PORT,
                password == null ? Secret.NONE : Secret.of(password)));
    String tns = endpoint.text("tns").orElse("");
    if (!tns.isEmpty() && !TNS_NAME.matcher(tns).matches()) {
      throw new Fault.User(
          "tns=" + tns.replaceAll("\\p{Cntrl}", "?") + " is no name of tnsnames.ora.",
          "Write the name alone, and the folder of tnsnames.ora in TNS_ADMIN or tns-admin.");
    }
    if (tns.isEmpty() && at.database().isEmpty()) {
      at = new ServerAddress(at.host(), at.port(), service(environment), at.user(), at.secret());
    }
    if (tns.isEmpty() && !SERVICE.matcher(at.database()).matches()) {
      throw new Fault.User(
          endpoint.label() + " names no service.",
          "Name it behind the host, as in oracle://"
              + at.server()
              + "/FREEPDB1, or in ORACLE_PDB. The listener knows them: lsnrctl services.");
    }
    return new OracleAddress(at, tns, tls);
  }

  /// The service of the pluggable database that the environment names; empty if it names none.
  private static String service(Function<String, @Nullable String> environment) {
    String named = environment.apply("ORACLE_PDB");
    return named == null ? "" : named;
  }

  /// What other tools write is told in our spelling, without what may be a password.
  private static Fault.User other(Endpoint endpoint) {
    return new Fault.User(
        endpoint.scheme() + ": names an Oracle database in another tool's spelling.",
        "Write oracle://user@host:1521/service?table=orders, or"
            + " oracle://user@?tns=NAME&table=orders for a name of tnsnames.ora. The password comes"
            + " from ORACLE_PASSWORD or the connection.");
  }

  /// What the driver connects to.
  String url() {
    return "jdbc:oracle:thin:@" + (tns.isEmpty() ? descriptor() : tns);
  }

  private String descriptor() {
    return "(DESCRIPTION=(SDU=%d)(ADDRESS=(PROTOCOL=%s)(HOST=%s)(PORT=%d))(CONNECT_DATA=(SERVICE_NAME=%s)))"
        .formatted(SDU, tls ? "tcps" : "tcp", at.host(), at.port(), at.database());
  }

  /// How it is named in errors.
  String server() {
    return tns.isEmpty() ? at.server() : "TNS name " + tns;
  }

  /// What tells two databases apart.
  String identity() {
    return tns.isEmpty() ? at.server() + "/" + at.database() : tns;
  }

  /// The user whom the endpoint names; null if it names none, so that a wallet may.
  static @Nullable String namedUser(Endpoint endpoint) {
    int end = endpoint.location().indexOf('@');
    return end > 2 ? endpoint.location().substring(2, end) : null;
  }

  /// The properties of the driver that say where its files are.
  static Map<String, String> files(
      Endpoint endpoint, Function<String, @Nullable String> environment) {
    String admin = environment.apply("TNS_ADMIN");
    String tnsAdmin = endpoint.text("tns-admin").orElse(admin == null ? "" : admin);
    String wallet = endpoint.text("wallet").map(OracleAddress::wallet).orElse("");
    String opener = environment.apply("ORACLE_WALLET_PASSWORD");
    return Map.of(
        "oracle.net.tns_admin",
        tnsAdmin,
        "oracle.net.wallet_location",
        wallet,
        "oracle.net.wallet_password",
        opener == null ? "" : opener);
  }

  /// A wallet as the driver names it: a folder, but for a file of certificates as text.
  private static String wallet(String folder) {
    Path place = Path.of(folder);
    if (Files.exists(place.resolve("cwallet.sso")) || Files.exists(place.resolve("ewallet.p12"))) {
      return folder;
    }
    Path text = place.resolve("ewallet.pem");
    if (!Files.exists(text)) {
      throw new Fault.User(
          "There is no wallet in " + folder + ".",
          "Name the folder of cwallet.sso, of ewallet.p12 (with ORACLE_WALLET_PASSWORD), or of"
              + " ewallet.pem.");
    }
    return "file:" + text.toAbsolutePath();
  }
}
