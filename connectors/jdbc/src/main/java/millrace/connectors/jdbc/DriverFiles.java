package millrace.connectors.jdbc;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;

/// Drivers in the user's files, each set of files with a class loader of its own, which stays: an
/// embedded database lives in it.
final class DriverFiles {

  private static final Map<List<Path>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

  private final String named;
  private final ClassLoader loader;

  /// @param named files and folders with commas between; empty for the drivers that Millrace has
  DriverFiles(String named) {
    this.named = named;
    List<Path> files = named.isEmpty() ? List.of() : files(named);
    loader =
        files.isEmpty()
            ? DriverFiles.class.getClassLoader()
            : LOADERS.computeIfAbsent(files, DriverFiles::loader);
  }

  private static List<Path> files(String named) {
    List<Path> files = new ArrayList<>();
    for (String each : named.split(",", -1)) {
      try {
        Path path = Path.of(each.strip()).toRealPath();
        if (Files.isDirectory(path)) {
          try (Stream<Path> inside = Files.list(path)) {
            inside.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(files::add);
          }
        } else {
          files.add(path);
        }
      } catch (IOException e) {
        throw new Fault.User(
            "driver=" + each + " can't be read: " + FileTrouble.reason(e),
            "Name the driver's .jar file, or a folder of them.");
      } catch (InvalidPathException _) {
        throw new Fault.User("driver=" + each + " is no path.", "Name the driver's .jar file.");
      }
    }
    if (files.isEmpty()) {
      throw new Fault.User(
          "driver=" + named + " has no .jar file in it.", "Name the driver's .jar file.");
    }
    return files;
  }

  private static ClassLoader loader(List<Path> files) {
    List<URL> urls = new ArrayList<>();
    try {
      for (Path file : files) {
        urls.add(file.toUri().toURL());
      }
    } catch (MalformedURLException e) {
      throw new Fault.Bug("a path is no URL", e);
    }
    return new URLClassLoader(
        "drivers", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /// Connects.
  ///
  /// @param label the URL without a password, for errors
  /// @throws SQLException what the driver says against it
  /// @throws Fault.User if there is no driver for it
  Connection connect(String url, Properties properties, String label) throws SQLException {
    for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
      if (driver.acceptsURL(url)) {
        Connection connection = driver.connect(url, properties);
        if (connection != null) {
          return connection;
        }
      }
    }
    throw new Fault.User(
        label
            + (named.isEmpty()
                ? ": Millrace brings no driver for it."
                : ": " + named + " has no driver for it."),
        "Name the driver's file: --driver path/to/driver.jar, or a folder of drivers.");
  }
}
