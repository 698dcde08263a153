package millrace.connectors.postgres.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// Connections that one end of a job's copies has left to the next one of the same database. Each
/// is as a new one: nothing is left of what was set, locked or begun on it. Any thread.
final class SpareSessions implements AutoCloseable {

  /// One that has been idle for longer may be gone without a word.
  private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ConnectionRoom room;
  private final BooleanSupplier ending = this::giveWay;
  private final Map<Endpoint, Deque<Spare>> spares = new HashMap<>();
  private final Map<Endpoint, Map<String, Consumer<Session>>> last = new HashMap<>();
  private boolean closed;

  private record Spare(Session session, long sinceNanos) {}

  /// @param room of the connector, to which spare ones give way
  SpareSessions(ConnectionRoom room) {
    this.room = room;
    room.keeps(ending);
  }

  /// A connection to that database, or null if there is none.
  @Nullable Session take(Endpoint database) {
    while (true) {
      Spare spare = poll(database);
      if (spare == null) {
        return null;
      }
      Session session = spare.session.again();
      boolean isFresh = System.nanoTime() - spare.sinceNanos < TRUSTED_NANOS;
      if (isFresh || session.whyLost() == null) {
        return session;
      }
      session.end();
    }
  }

  private synchronized @Nullable Spare poll(Endpoint database) {
    Deque<Spare> all = spares.get(database);
    return all == null ? null : all.pollLast();
  }

  /// Takes a connection that is as new; whether it does.
  synchronized boolean leave(Endpoint database, Session session) {
    if (closed || session.failed()) {
      return false;
    }
    spares
        .computeIfAbsent(database, _ -> new ArrayDeque<>())
        .add(new Spare(session, System.nanoTime()));
    return true;
  }

  /// Does work on one of them when the job ends, if one is left.
  synchronized boolean atEnd(Endpoint database, String what, Consumer<Session> work) {
    if (closed) {
      return false;
    }
    last.computeIfAbsent(database, _ -> new HashMap<>()).put(what, work);
    return true;
  }

  private void workLast() {
    Map<Endpoint, Map<String, Consumer<Session>>> all;
    synchronized (this) {
      all = new HashMap<>(last);
      last.clear();
    }
    all.forEach((database, works) -> {
      Session session = take(database);
      if (session != null) {
        works.values().forEach(work -> work.accept(session));
        session.end();
      }
    });
  }

  /// Ends those that nobody uses; whether there were any.
  private boolean giveWay() {
    List<Spare> idle = new ArrayList<>();
    synchronized (this) {
      spares.values().forEach(idle::addAll);
      spares.clear();
    }
    idle.forEach(spare -> spare.session.end());
    return !idle.isEmpty();
  }

  @Override
  public void close() {
    workLast();
    synchronized (this) {
      closed = true;
    }
    giveWay();
    room.keepsNoMore(ending);
  }
}
