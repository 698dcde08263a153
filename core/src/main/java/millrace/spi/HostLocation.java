package millrace.spi;

import java.nio.file.Path;
import java.util.List;

/// Where an end lives, as far as the machine that Millrace runs on could see it: for the host
/// figures of the report. Nothing is opened and no server is asked to find out.
///
/// @param paths files and folders that hold its rows; they need not exist yet
/// @param services servers that it is reached through
public record HostLocation(List<Path> paths, List<Service> services) {

  /// Nowhere that could be watched: rows are made, dropped, or come through a pipe.
  public static final HostLocation NOWHERE = new HostLocation(List.of(), List.of());

  public HostLocation {
    paths = List.copyOf(paths);
    services = List.copyOf(services);
  }

  /// A place on disk.
  public static HostLocation of(Path path) {
    return new HostLocation(List.of(path), List.of());
  }

  /// A server.
  ///
  /// @param name how users call it, for example `PostgreSQL`
  /// @param host the host's name or address
  /// @param port the port that it listens on
  /// @param process what its processes' names have in them
  /// @param dataFolders folders below its working folder that may lie on another disk, or hold
  ///   links to such folders
  public record Service(
      String name, String host, int port, String process, List<String> dataFolders) {

    public Service {
      dataFolders = List.copyOf(dataFolders);
    }

    /// Name and address, for reports.
    public String label() {
      return name + " at " + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }
}
