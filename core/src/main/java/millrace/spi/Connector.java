package millrace.spi;

import java.util.List;
import java.util.TreeMap;
import millrace.data.Schema;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// One system that rows come from or go to. One instance serves all runs and threads, and keeps
/// nothing of them. Capabilities: {@link Scratch}, {@link StatementRunner}.
///
/// To add one: copy a sibling package, keep its names and order, and list it in Connectors.java.
public interface Connector extends Capable {

  /// The name used in plans and as {@link millrace.data.Native#system}, for example `postgresql`.
  String name();

  /// The URL schemes it answers to, lower case, for example `postgresql` and `postgres`.
  List<String> schemes();

  /// Endings of plain paths that mean this system, lower case, for example `.parquet`; such a path
  /// is opened under the first of the schemes.
  default List<String> fileEndings() {
    return List.of();
  }

  /// Every parameter that its URLs take after the `?`, and that the command line may set for it. An
  /// endpoint with any other is refused before the connector sees it.
  List<Option> options();

  /// Those of its parameters that an endpoint takes; the others mean nothing to it.
  default List<Option> options(Endpoint endpoint) {
    return options();
  }

  /// The statement that makes a table of these columns in this system, for previews; no server is
  /// asked. Empty if the system has no such statements.
  default String ddl(String table, Schema schema) {
    return "";
  }

  /// Where the endpoint lives, for the report's figures about disks and servers of this machine.
  /// Only asked of an endpoint that has been opened.
  default HostLocation place(Endpoint endpoint) {
    return HostLocation.NOWHERE;
  }

  /// What of the endpoint decides how rows land there, in words that are the same by whatever name
  /// it is reached: where it is, its journal knows, which is kept there. No server is asked.
  default String writeOptionsKey(Endpoint endpoint) {
    return new TreeMap<>(endpoint.parameters()).toString();
  }

  /// Opens the endpoint for reading. Nothing is read yet but what tells that it can be.
  ///
  /// @param context is told what the opening waits for
  /// @throws millrace.fault.Fault.User if this system or this endpoint can't be read
  Source source(Endpoint endpoint, Selection selection, OpenContext context);

  /// Opens the endpoint for writing. Nothing is changed before {@link
  /// millrace.spi.write.PlannedTarget#open}.
  ///
  /// @param context is told what the opening waits for
  /// @throws millrace.fault.Fault.User if this system or this endpoint can't be written
  Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context);
}
