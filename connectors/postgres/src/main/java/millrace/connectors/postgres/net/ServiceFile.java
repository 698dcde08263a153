package millrace.connectors.postgres.net;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Finds a service in `pg_service.conf`, by the rules of libpq
/// (https://www.postgresql.org/docs/current/libpq-pgservice.html): the user's own file first, then
/// the system's; of a service that stands twice in a file, the first counts, and so does the first
/// line of a parameter.
final class ServiceFile {

  /// Where the system's file is, as the packages of Debian and Red Hat and PostgreSQL's own build
  /// have it: each libpq knows only its own.
  private static final List<String> SYSTEM_FOLDERS =
      List.of("/etc/postgresql-common", "/etc/sysconfig/pgsql", "/etc", "/usr/local/pgsql/etc");

  private static final String NAME = "pg_service.conf";

  /// A service.
  ///
  /// @param values by libpq's keywords; may hold a password
  record Service(Path file, Map<String, String> values) {

    Service {
      values = Map.copyOf(values);
    }
  }

  private ServiceFile() {}

  /// @param named the file that PGSERVICEFILE names; empty if it names none
  /// @param environment for HOME and PGSYSCONFDIR
  /// @throws Fault.User if there is no such service, or its file can't be read
  static Service find(
      String service, String named, Function<String, @Nullable String> environment) {
    List<Path> files = new ArrayList<>();
    try {
      Path userFile =
          named.isEmpty() ? PasswordFile.home(environment).resolve("." + NAME) : Path.of(named);
      if (!named.isEmpty() && !Files.exists(userFile)) {
        throw new Fault.User(
            "The service file " + userFile + " does not exist.",
            "PGSERVICEFILE or servicefile= names it. Mend that, or unset it.");
      }
      files.add(userFile);
      files.addAll(systemFiles(environment));
    } catch (InvalidPathException e) {
      throw new Fault.User(
          "A service file has no possible name: " + e.getReason() + ".",
          "See PGSERVICEFILE and PGSYSCONFDIR.");
    }
    for (Path file : files) {
      Map<String, String> values = Files.exists(file) ? search(file, service) : null;
      if (values != null) {
        return new Service(file, values);
      }
    }
    throw new Fault.User(
        "There is no PostgreSQL service '" + shown(service) + "'.",
        "Looked for ["
            + shown(service)
            + "] in "
            + files.stream().map(Path::toString).collect(Collectors.joining(", "))
            + ". Write it there, or unset PGSERVICE.");
  }

  private static List<Path> systemFiles(Function<String, @Nullable String> environment) {
    String folder = environment.apply(LibpqParameter.SYSTEM_FOLDER_VARIABLE);
    Stream<String> folders =
        folder == null || folder.isEmpty() ? SYSTEM_FOLDERS.stream() : Stream.of(folder);
    return folders.map(each -> Path.of(each, NAME)).toList();
  }

  /// The values of the service, or null if the file has none of that name.
  private static @Nullable Map<String, String> search(Path file, String service) {
    Map<String, String> values = null;
    int number = 0;
    for (String untrimmed : lines(file)) {
      number++;
      String line = untrimmed.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[")) {
        if (values != null) {
          break;
        }
        values = line.startsWith("[" + service + "]") ? new HashMap<>() : null;
      } else if (values != null) {
        int equals = line.indexOf('=');
        String keyword = equals < 0 ? "" : line.substring(0, equals);
        check(keyword, file, number);
        values.putIfAbsent(keyword, line.substring(equals + 1));
      }
    }
    return values;
  }

  /// Nothing of the line is repeated: it may be a password.
  private static void check(String keyword, Path file, int line) {
    String what = "The service file " + file + ", line " + line;
    if (keyword.equals(LibpqParameter.SERVICE) || keyword.equals(LibpqParameter.SERVICE_FILE)) {
      throw new Fault.User(
          what + ", names another service.", "A service has parameters of its own, as for psql.");
    }
    if (LibpqParameter.named(keyword).isEmpty()) {
      throw new Fault.User(
          what + ", is not NAME=VALUE with a name that libpq knows.",
          "Write a line such as host=db.example.com, without blanks at the =. Services at an LDAP"
              + " server are not looked up.");
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new Fault.User(
          "The service file "
              + file
              + " can't be read"
              + (e instanceof MalformedInputException ? ": it is not UTF-8." : "."),
          "Mend the file or its permissions, or unset PGSERVICE.");
    }
  }

  private static String shown(String service) {
    return service.replaceAll("\\p{Cntrl}", "?");
  }
}
