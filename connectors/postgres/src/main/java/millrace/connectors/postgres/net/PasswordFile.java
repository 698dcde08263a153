package millrace.connectors.postgres.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds a password in `~/.pgpass`, by the rules of libpq
/// (https://www.postgresql.org/docs/current/libpq-pgpass.html): lines of
/// `host:port:database:user:password`, `*` for any, backslash before a colon or a backslash, the
/// first line that matches counts, and a file that others may read is not used at all.
final class PasswordFile {

  private static final Logger LOG = LoggerFactory.getLogger(PasswordFile.class);

  private static final Set<PosixFilePermission> TOO_OPEN =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  /// What was found.
  ///
  /// @param warning why a file that is there was not used; empty otherwise
  record PasswordLookup(Secret secret, String warning) {}

  private PasswordFile() {}

  /// Looks the address up.
  ///
  /// @param named the file that `passfile` or PGPASSFILE names; empty for `~/.pgpass`
  static PasswordLookup find(
      Address address, String named, Function<String, @Nullable String> environment) {
    Path file = named.isEmpty() ? home(environment).resolve(".pgpass") : Path.of(named);
    if (!Files.isRegularFile(file)) {
      return new PasswordLookup(Secret.NONE, "");
    }
    try {
      if (openToOthers(file)) {
        return new PasswordLookup(
            Secret.NONE,
            "The password file "
                + file
                + " was not used, because others may read it (chmod 600 mends that).");
      }
      return new PasswordLookup(search(address, Files.readAllLines(file)), "");
    } catch (IOException e) {
      LOG.debug("password file {}", file, e);
      return new PasswordLookup(Secret.NONE, "The password file " + file + " can't be read.");
    }
  }

  /// The user's folder, as libpq finds it.
  static Path home(Function<String, @Nullable String> environment) {
    String home = environment.apply("HOME");
    return Path.of(home == null || home.isEmpty() ? System.getProperty("user.home") : home);
  }

  private static boolean openToOthers(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(file).stream().anyMatch(TOO_OPEN::contains);
  }

  private static Secret search(Address address, List<String> lines) {
    List<List<String>> wanted =
        List.of(
            // A socket's folder goes by its path, and the usual one by the machine's name.
            List.of(address.host(), address.host().startsWith("/") ? "localhost" : address.host()),
            List.of(Integer.toString(address.port())),
            List.of(address.database()),
            List.of(address.user()));
    for (String line : lines) {
      List<String> fields = fields(line);
      if (!line.startsWith("#") && fields.size() == 5 && matches(fields, wanted)) {
        return Secret.of(fields.getLast());
      }
    }
    return Secret.NONE;
  }

  private static boolean matches(List<String> fields, List<List<String>> wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      // An escaped star stays a star with its backslash, so that it is no wildcard.
      if (!fields.get(i).equals("*") && !wanted.get(i).contains(unescape(fields.get(i)))) {
        return false;
      }
    }
    return true;
  }

  /// The first four fields as they stand, the password without its backslashes.
  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < line.length() && fields.size() < 4; i++) {
      if (line.charAt(i) == '\\') {
        i++;
      } else if (line.charAt(i) == ':') {
        fields.add(line.substring(start, i));
        start = i + 1;
      }
    }
    String rest = line.substring(start);
    fields.add(unescape(rest));
    return fields;
  }

  private static String unescape(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\' && i + 1 < text.length()) {
        i++;
      }
      plain.append(text.charAt(i));
    }
    return plain.toString();
  }
}
