package millrace.connectors.postgres.net;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// What connects the ends of a job's copies: they leave connections to each other, and the password
/// of a database is looked up once. Any thread.
public final class SharedConnections implements AutoCloseable {

  private final ConnectionRoom room;
  private final SpareSessions spares;
  private final Map<Endpoint, ConnectionFactory> factories = new HashMap<>();

  /// @param room of the connector, to which spare connections give way
  public SharedConnections(ConnectionRoom room) {
    this.room = room;
    spares = new SpareSessions(room);
  }

  /// What connects an end.
  public synchronized ConnectionFactory of(
      Endpoint end, Function<String, @Nullable String> environment) {
    return factories
        .computeIfAbsent(
            LibpqSettings.ofConnection(end),
            database -> new ConnectionFactory(database, environment, room, spares))
        .forAnother();
  }

  @Override
  public void close() {
    spares.close();
  }
}
