package millrace.online.run;

import java.util.List;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.window.Aggregator;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.online.Online;
import millrace.spi.online.OnlineStore;
import org.jspecify.annotations.Nullable;

/// Opens where a job's tables are, and what aggregates them.
///
/// @param store the tables
/// @param aggregator the store itself, or another engine
/// @param place where the target is, as far as this machine can see it
public record OnlineStores(OnlineStore store, Aggregator aggregator, HostLocation place)
    implements AutoCloseable {

  /// The scheme of a target that keeps nothing.
  private static final String NOTHING = "null";

  /// Opens them; the caller closes them.
  ///
  /// @param connectors all that there are
  /// @param endpoint the job's target
  /// @throws Fault.User if the target can't be written so
  public static OnlineStores open(List<Connector> connectors, Endpoint endpoint, OnlineJob job) {
    OnlineJob.@Nullable Engine engine = job.engine();
    EngineAggregator aggregator = engine == null ? null : new EngineAggregator(engine);
    try {
      OnlineStore store =
          endpoint.scheme().equals(NOTHING)
              ? new NullStore()
              : online(connectors, endpoint).online(endpoint, job.layout(), new OpenContext());
      return new OnlineStores(
          store, aggregator == null ? store::aggregate : aggregator, place(connectors, endpoint));
    } catch (RuntimeException e) {
      if (aggregator != null) {
        aggregator.close();
      }
      throw e;
    }
  }

  /// A job whose table of what arrives has the name that its target's URL gives, if it gives one.
  ///
  /// @throws Fault.User if a run can't have tables of that name
  public static OnlineJob named(List<Connector> connectors, Endpoint endpoint, OnlineJob job) {
    String name = "";
    for (Connector each : connectors) {
      Online online = each.capability(Online.class);
      if (online != null && each.schemes().contains(endpoint.scheme())) {
        name = online.tableName(endpoint);
      }
    }
    if (name.isEmpty()) {
      return job;
    }
    if (!OnlineJob.Tables.isName(name)) {
      throw new Fault.User(
          "An online run can't have a table named " + name.replaceAll("\\p{Cntrl}", "?") + ".",
          "Write at most 41 letters, digits and _ as the table in the target's URL, or none.");
    }
    return job.with(job.tables().named(name));
  }

  /// A target that keeps nothing, to see what the clients alone can offer to another one.
  ///
  /// @param target its tables are made
  static OnlineStores encoding(OnlineStore target) {
    OnlineStore store = new EncodingStore(target);
    return new OnlineStores(store, store::aggregate, HostLocation.NOWHERE);
  }

  private static HostLocation place(List<Connector> connectors, Endpoint endpoint) {
    return connectors.stream()
        .filter(each -> each.schemes().contains(endpoint.scheme()))
        .findFirst()
        .map(each -> each.place(endpoint))
        .orElse(HostLocation.NOWHERE);
  }

  private static Online online(List<Connector> connectors, Endpoint endpoint) {
    for (Connector each : connectors) {
      Online online = each.capability(Online.class);
      if (online != null && each.schemes().contains(endpoint.scheme())) {
        return online;
      }
    }
    String known =
        connectors.stream()
            .filter(each -> each.capability(Online.class) != null)
            .map(Connector::name)
            .collect(Collectors.joining(", "));
    throw new Fault.User(
        endpoint.label() + " can't be written online.", "Systems that can: " + known + ", null.");
  }

  @Override
  public void close() {
    if (aggregator instanceof EngineAggregator engine) {
      engine.close();
    }
    store.close();
  }
}
