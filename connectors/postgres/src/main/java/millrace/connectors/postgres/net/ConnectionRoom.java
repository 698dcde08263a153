package millrace.connectors.postgres.net;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.fault.Fault;

/// If a server allows few connections, what only counts or paces gives way to what moves rows; and
/// what can't go with as few as there may be is refused before anything is begun.
///
/// All ends that a process has open share one, since both may be the same server's: so it also
/// knows whether the one end waits for the other. Any thread.
public final class ConnectionRoom {

  /// What an end needs at least, and by what names the server counts it.
  private record Need(String ofUser, String ofDatabase, int connections) {}

  private record Limit(String key, int connections) {}

  private static final String LIMITS =
      """
      SELECT pg_catalog.pg_postmaster_start_time() || ' user ' || r.rolname, r.rolconnlimit,
        pg_catalog.pg_postmaster_start_time() || ' database ' || d.datname, d.datconnlimit, r.rolname
      FROM pg_catalog.pg_roles r, pg_catalog.pg_database d
      WHERE r.rolname = SESSION_USER AND d.datname = pg_catalog.current_database()
        AND NOT r.rolsuper
      """;

  private record Limits(Limit user, Limit database, String userName) {}

  /// @param all none of a superuser
  private record AllLimits(List<Limits> all) {}

  private final Set<Session> asides = new HashSet<>();
  private final Set<BooleanSupplier> spares = new HashSet<>();
  private final Map<Session, Need> needs = new HashMap<>();
  private final Map<Session, String> readers = new HashMap<>();

  /// Keeps a connection that may be taken away again.
  synchronized Session lend(Session aside) {
    asides.removeIf(Session::isClosed);
    asides.add(aside);
    return aside;
  }

  /// Somebody keeps connections that nobody uses at the moment.
  ///
  /// @param end ends them; whether there were any
  synchronized void keeps(BooleanSupplier end) {
    spares.add(end);
  }

  synchronized void keepsNoMore(BooleanSupplier end) {
    spares.remove(end);
  }

  /// Takes back all that are lent or spare; whether there were any.
  synchronized boolean takeBack() {
    asides.removeIf(Session::isClosed);
    boolean any = !asides.isEmpty();
    for (BooleanSupplier each : spares) {
      any |= each.getAsBoolean();
    }
    asides.forEach(Session::takeAway);
    asides.clear();
    return any;
  }

  /// An end that has that connection open will need so many in all.
  ///
  /// @throws Fault.User if the server never allows as many to this user or in this database
  synchronized void need(Session open, Address address, int connections) {
    needs.keySet().removeIf(Session::isClosed);
    AllLimits limits = open.known("limits", AllLimits.class, () -> ask(open));
    if (limits.all.isEmpty()) {
      return;
    }
    Limits of = limits.all.getFirst();
    needs.put(open, new Need(of.user.key, of.database.key, connections));
    check(
        of.user,
        Need::ofUser,
        "User " + of.userName + " may have %s at a time at " + address.server(),
        "ALTER ROLE " + PostgresSql.name(of.userName));
    check(
        of.database,
        Need::ofDatabase,
        "Database " + address.database() + " at " + address.server() + " takes %s at a time",
        "ALTER DATABASE " + PostgresSql.name(address.database()));
  }

  private static AllLimits ask(Session open) {
    return new AllLimits(
        open.query(
            LIMITS,
            row ->
                new Limits(
                    new Limit(row.getString(1), row.getInt(2)),
                    new Limit(row.getString(3), row.getInt(4)),
                    row.getString(5))));
  }

  /// A connection to that address keeps what a source reads as it is.
  synchronized void reads(Session keeper, Address address) {
    readers.keySet().removeIf(Session::isClosed);
    readers.put(keeper, address.server());
  }

  synchronized void readsNoMore(Session keeper) {
    readers.remove(keeper);
  }

  /// Whether that process of the server there serves such a connection.
  synchronized boolean isReadBy(Address address, int process) {
    return readers.entrySet().stream()
        .anyMatch(reader ->
            !reader.getKey().isClosed()
                && reader.getKey().process() == process
                && reader.getValue().equals(address.server()));
  }

  private void check(Limit limit, Function<Need, String> key, String message, String statement) {
    int needed =
        needs.values().stream()
            .filter(need -> key.apply(need).equals(limit.key))
            .mapToInt(Need::connections)
            .sum();
    if (limit.connections >= 0 && limit.connections < needed) {
      String allowed = limit.connections == 1 ? "1 connection" : limit.connections + " connections";
      throw new Fault.User(
          message.formatted(allowed)
              + ", and "
              + needed
              + " are needed there: one that stays open for each end, and one for a lane to read or"
              + " write it by.",
          "Have the limit raised: " + statement + " CONNECTION LIMIT " + needed + ";");
    }
  }
}
