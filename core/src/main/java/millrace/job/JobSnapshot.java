package millrace.job;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.catalog.SharedSnapshot.Held;
import millrace.spi.catalog.TablePattern;

/// In which state the tables of a job are read: those of one database in the same one, as far as
/// its system can do that. Closed once all have been read.
///
/// Left out is what another copy of the job writes: it is to be seen as that has left it.
public final class JobSnapshot implements AutoCloseable {

  private static final String NOT_SHARED = "each table as it is when its copy begins";

  private final Map<Endpoint, Endpoint> ends = new HashMap<>();
  private final List<Held> held = new ArrayList<>();
  private final List<String> whyNot = new ArrayList<>();
  private int requested;
  private int shared;
  private int groups;

  /// What the job itself changes.
  ///
  /// @param targets what its copies write
  /// @param prepared what it reads, and changes just before
  public record Changes(List<Endpoint> targets, Set<Endpoint> prepared) {

    /// Nothing.
    public static final Changes NONE = new Changes(List.of(), Set.of());
  }

  private JobSnapshot() {}

  /// Nothing is kept.
  static JobSnapshot none() {
    return new JobSnapshot();
  }

  /// Takes the states for the copies of a job. What the hooks of a stream may change just before
  /// its copies begin is read as it is then.
  ///
  /// @param waiting those that are to be carried out
  /// @param all those that are done too
  /// @param lanes how many lanes read at once
  /// @param context of the job, with what its copies share
  static JobSnapshot of(
      ConnectorRegistry connectors,
      List<TableCopy> waiting,
      List<TableCopy> all,
      int lanes,
      OpenContext context) {
    Changes changes =
        new Changes(
            all.stream().map(TableCopy::to).toList(),
            all.stream()
                .filter(copy -> !copy.stream().before().isEmpty())
                .map(TableCopy::from)
                .collect(Collectors.toSet()));
    List<Endpoint> from = waiting.stream().map(TableCopy::from).toList();
    return take(connectors, from, changes, lanes, context);
  }

  /// Takes the states. What can't be done is no fault: each copy tells by itself what is wrong.
  ///
  /// @param all what the job reads
  /// @param lanes how many lanes read at once
  /// @param context of the job, with what its copies share
  public static JobSnapshot take(
      ConnectorRegistry connectors,
      List<Endpoint> all,
      Changes changes,
      int lanes,
      OpenContext context) {
    JobSnapshot snapshot = new JobSnapshot();
    Map<String, List<Endpoint>> databases = new LinkedHashMap<>();
    Set<Path> written = new HashSet<>();
    Map<String, List<TablePattern>> writtenTables = new HashMap<>();
    for (Endpoint to : changes.targets) {
      written.addAll(files(connectors.of(to), to));
      writtenTables
          .computeIfAbsent(database(connectors, to), _ -> new ArrayList<>())
          .add(table(to));
    }
    for (Endpoint from : all) {
      snapshot.requested++;
      String database = database(connectors, from);
      List<TablePattern> others = writtenTables.getOrDefault(database, List.of());
      boolean isQuery = from.text("table").isEmpty();
      TablePattern one = table(from);
      if (!changes.prepared.contains(from)
          && others.stream().noneMatch(to -> isQuery || isSameTable(one, to))) {
        databases.computeIfAbsent(database, _ -> new ArrayList<>()).add(from);
      }
    }
    for (List<Endpoint> database : databases.values()) {
      Connector connector = connectors.of(database.getFirst());
      SharedSnapshot system = connector.capability(SharedSnapshot.class);
      if (system == null || database.size() < 2) {
        continue;
      }
      if (files(connector, database.getFirst()).stream().anyMatch(written::contains)) {
        snapshot.whyNot.add("the job writes to the file that it reads");
      } else {
        snapshot.hold(system, database, lanes, context);
      }
    }
    return snapshot;
  }

  private void hold(
      SharedSnapshot system, List<Endpoint> database, int lanes, OpenContext context) {
    try {
      Held state = system.hold(database, lanes, context);
      held.add(state);
      groups++;
      for (int i = 0; i < database.size(); i++) {
        Endpoint end = state.ends().get(i);
        if (end != null) {
          ends.put(database.get(i), end);
          shared++;
        }
      }
      if (!state.whyNot().isEmpty()) {
        whyNot.add(state.whyNot());
      }
    } catch (Fault.Cancelled e) {
      close();
      throw e;
    } catch (Fault e) {
      whyNot.add(e.clause());
    }
  }

  private static List<Path> files(Connector connector, Endpoint end) {
    return connector.place(end).paths().stream()
        .map(path -> path.toAbsolutePath().normalize())
        .toList();
  }

  private static String database(ConnectorRegistry connectors, Endpoint end) {
    return connectors.of(end).name() + " " + end.location();
  }

  private static TablePattern table(Endpoint end) {
    return TablePattern.parse(end.text("table").orElse("").replace("\"", ""));
  }

  /// Whether a copy reads what another one writes to the same database. A name without its schema
  /// may mean any, and a query may read any table.
  private static boolean isSameTable(TablePattern one, TablePattern other) {
    boolean anySchema = one.schema().isEmpty() || other.schema().isEmpty();
    return one.name().equalsIgnoreCase(other.name())
        && (anySchema || one.schema().equalsIgnoreCase(other.schema()));
  }

  /// An end as it is read in the state of its database.
  public Endpoint end(Endpoint from) {
    return ends.getOrDefault(from, from);
  }

  /// In which state the tables are read, as the end of a sentence.
  public String words() {
    if (requested == 0) {
      return "nothing was left to read";
    }
    String why = whyNot.isEmpty() ? "" : " (" + String.join("; ", whyNot) + ")";
    if (shared == 0) {
      return NOT_SHARED + why;
    }
    if (shared < requested) {
      return shared
          + " of "
          + requested
          + " tables as they were at one moment, each other one as it is when its copy begins"
          + why;
    }
    return groups == 1
        ? "all tables as they were at one moment"
        : "the tables of each database as they were at one moment";
  }

  @Override
  public void close() {
    held.forEach(Held::close);
    held.clear();
  }
}
