package millrace.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A real MySQL 8.0.15. Its program comes from an archive of Presto's tests for 64-bit Linux. It
/// needs the libraries that Debian 12 calls libaio1 and libnuma1.
public final class MySqlServer extends MySqlFamilyServer {

  private static final String NAME = "mysql-8.0.15";
  private static final String ARCHIVE = "mysql-Linux-amd64.tar.gz";

  private static final Path RENAMED_AIO = Path.of("/usr/lib/x86_64-linux-gnu/libaio.so.1t64");

  private static @Nullable MySqlServer shared;

  private MySqlServer(Path home, Path program, List<String> options) {
    super("mysql", program, options);
    begin(
        NAME,
        List.of(
            program.toString(),
            "--no-defaults",
            "--initialize-insecure",
            "--basedir=" + home,
            "--lc-messages-dir=" + home.resolve("share"),
            "--innodb-use-native-aio=0",
            "--innodb-flush-method=nosync",
            "--skip-log-bin"));
  }

  /// The server that tests of one JVM share. Any thread.
  public static synchronized MySqlServer shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /// A server of its own for a test that kills it or changes what can't be changed back.
  ///
  /// @param options more options for mysqld, which override those of this class
  public static MySqlServer start(String... options) {
    Path home = ServerPrograms.ofTar(NAME, ARCHIVE);
    linkAio(home);
    List<String> all = new ArrayList<>();
    all.add("--basedir=" + home);
    all.add("--lc-messages-dir=" + home.resolve("share"));
    // Another port, which all tests of a machine would ask for.
    all.add("--loose-mysqlx=OFF");
    all.addAll(List.of(options));
    return new MySqlServer(home, home.resolve("bin").resolve("mysqld"), all);
  }

  /// Since Debian 13 the library has another name. mysqld looks for its libraries in its own folder
  /// first.
  private static void linkAio(Path home) {
    Path link = home.resolve("bin").resolve("libaio.so.1");
    if (Files.exists(RENAMED_AIO) && !Files.exists(link)) {
      try {
        Files.createSymbolicLink(link, RENAMED_AIO);
      } catch (FileAlreadyExistsException _) {
        // Another process of the tests was faster.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
