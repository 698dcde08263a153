package millrace.connectors.oracle.direct;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import millrace.fault.Fault;
import oracle.jdbc.OracleDriver;

/// Which servers take the driver's direct path streams.
///
/// They are an internal interface, whose bytes the server does not check. Oracle's own loader must
/// not be younger than the server. So it is here, but for releases whose reports are known.
public final class ConfirmedReleases {

  private static final String LIST = "confirmed-releases.txt";

  private ConfirmedReleases() {}

  /// Keeps streams from a server that nobody has confirmed.
  ///
  /// @param server its release: the major version times 100, and the minor one
  /// @throws Fault.User if it is older than the driver, and nobody has confirmed it
  public static void check(int server) {
    check(server, driver(), listed());
  }

  static void check(int server, int driver, List<String> confirmed) {
    if (server < driver
        && !confirmed.contains(name(server))
        && !confirmed.contains(String.valueOf(server / 100))) {
      throw new Fault.User(
          "--method native is not for this server: it is of release %s, and the driver of %s. The driver's streams are an internal interface, and nobody has confirmed what an older server keeps of them."
              .formatted(name(server), name(driver)),
          "Use --method direct. Or have it tried, and send the report, so that Millrace allows the"
              + " release from then on:\n    millrace oracle-check oracle://…");
    }
  }

  static int driver() {
    OracleDriver driver = new OracleDriver();
    return 100 * driver.getMajorVersion() + driver.getMinorVersion();
  }

  static String name(int release) {
    return release / 100 + "." + release % 100;
  }

  static List<String> listed() {
    try (InputStream list = ConfirmedReleases.class.getResourceAsStream(LIST)) {
      byte[] bytes = Objects.requireNonNull(list, LIST).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
