package millrace.connectors.postgres.online;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.sql.online.OnlineConnection;
import millrace.connectors.sql.online.OnlineDialect;
import millrace.connectors.sql.online.OnlineTables;
import millrace.connectors.sql.online.SqlOnlineStore;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import org.jspecify.annotations.Nullable;

/// Tables of an online run in PostgreSQL. All have a primary key, so that a write or an aggregate
/// can be made again.
public final class PostgresOnline implements OnlineDialect {

  /// What the server cuts names off at.
  private static final int NAME_BYTES_MAX = 63;

  private final ConnectionFactory connectionFactory;

  /// Holds the locks of the tables while a run works with them.
  private @Nullable Session claim;

  private PostgresOnline(ConnectionFactory connectionFactory) {
    this.connectionFactory = connectionFactory;
  }

  /// Opens the tables of a layout, in the schema of the table that the endpoint names.
  ///
  /// @throws Fault.User if a name is too long for the server
  public static OnlineStore open(
      ConnectionFactory factory, Endpoint endpoint, OnlineLayout layout, OpenContext context) {
    String named =
        endpoint.text("table").map(text -> QualifiedName.parse(text).folded().schema()).orElse("");
    // Asked in any case, to see whether there is a connection to be had.
    String usual = defaultSchema(factory);
    String schema = named.isEmpty() ? usual : named;
    OnlineTables tables = new OnlineTables(layout, PostgresSql.NAMES, schema);
    List<String> names = new ArrayList<>(layout.levels().stream().map(Level::table).toList());
    names.add(layout.sideTable());
    names.add(layout.sentTable());
    names.add(layout.dirtyTable());
    names.add(partition(tables, 0));
    for (String name : names) {
      if (name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
        throw new Fault.User(
            "The name " + name + " has more than " + NAME_BYTES_MAX + " bytes.",
            "Give the table of what arrives a shorter name.");
      }
    }
    SqlOnlineStore store = new SqlOnlineStore(new PostgresOnline(factory), tables);
    context.needs(store);
    return store;
  }

  /// Where a table is made if no schema is named. A table that is removed could be found elsewhere
  /// on the search path.
  private static String defaultSchema(ConnectionFactory factory) {
    try (Session session = factory.connect()) {
      return session.one(
          "SELECT coalesce(pg_catalog.current_schema(), '')", row -> row.getString(1));
    }
  }

  @Override
  public String label() {
    return connectionFactory.address().server();
  }

  /// Advisory locks, one for each table, so that runs under other names that share a table are seen
  /// too. They end with their connection, which a killed process loses at once.
  @Override
  public void claim(OnlineTables tables) {
    Session session = connectionFactory.connect();
    try {
      for (String table : tables.layout().tables()) {
        long key = Digest.of("millrace online " + tables.sql(table)).number();
        if (!session.one(
            "SELECT pg_catalog.pg_try_advisory_lock(" + key + ")", row -> row.getBoolean(1))) {
          throw inUse(session, tables.schema() + "." + table, key);
        }
      }
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
    claim = session;
  }

  private Fault.User inUse(Session session, String table, long key) {
    List<String> holders =
        session.query(
            """
            SELECT a.pid || ' since ' || to_char(a.backend_start AT TIME ZONE 'UTC',
                'YYYY-MM-DD"T"HH24:MI:SS"Z"')
              FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a USING (pid)
             WHERE l.locktype = 'advisory' AND l.granted
               AND l.classid::bigint = %d AND l.objid::bigint = %d
               AND a.datname = current_database()
            """
                .formatted(key >>> 32, key & 0xffff_ffffL),
            row -> row.getString(1));
    String holder = holders.isEmpty() ? "" : " (server process " + holders.getFirst() + ")";
    return new Fault.User(
        label() + ": another online run works with table " + table + holder + ".",
        "Wait for it or stop it, or name another table in the target's URL: ?table=…");
  }

  @Override
  public OnlineConnection connect() {
    return PostgresOnlineConnection.of(connectionFactory.connect());
  }

  /// A window of a table whose key begins with the device is found by a block range index: it is a
  /// few pages, costs next to nothing to keep, and rows lie in about the order of their times.
  @Override
  public List<String> create(OnlineTables tables, String table) {
    OnlineLayout layout = tables.layout();
    boolean isRaw = table.equals(tables.raw());
    String create = tables.create(table, true);
    if (isRaw && !layout.partition().isZero()) {
      create += " PARTITION BY RANGE (time_stamp)";
    }
    if (layout.timeFirst() || !(isRaw || layout.isAggregated(table))) {
      return List.of(create);
    }
    return List.of(
        create,
        "CREATE INDEX ON "
            + tables.sql(table)
            + " USING brin (time_stamp) WITH (pages_per_range = 32, autosummarize = on)");
  }

  /// A partition is made as a table of its own and then attached: writers and readers go on
  /// meanwhile. `CREATE TABLE … PARTITION OF` would wait for all of them, and they for it.
  @Override
  public List<Long> addPartitions(
      OnlineConnection connection, OnlineTables tables, List<Long> starts) throws SQLException {
    String raw = tables.sql(tables.raw());
    List<Long> made = new ArrayList<>();
    try (Statement statement = connection.jdbc().createStatement()) {
      // Who else makes partitions waits here; nobody else does.
      statement.execute("LOCK TABLE ONLY " + raw + " IN SHARE UPDATE EXCLUSIVE MODE");
      Set<String> known = partitions(connection, raw);
      for (long start : starts) {
        String name = partition(tables, start);
        if (!known.contains(name)) {
          String table = tables.sql(name);
          statement.execute("CREATE TABLE " + table + " (LIKE " + raw + " INCLUDING ALL)");
          statement.execute(
              "ALTER TABLE "
                  + raw
                  + " ATTACH PARTITION "
                  + table
                  + " FOR VALUES"
                  + range(tables, start));
          made.add(start);
        }
      }
    }
    return made;
  }

  private static String range(OnlineTables tables, long start) {
    long width = tables.layout().partition().toNanos() / 1000;
    return " FROM (" + OnlineTables.time(start) + ") TO (" + OnlineTables.time(start + width) + ")";
  }

  private static Set<String> partitions(OnlineConnection connection, String raw)
      throws SQLException {
    String sql =
        "SELECT c.relname FROM pg_catalog.pg_inherits i"
            + " JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid"
            + " WHERE i.inhparent = ?::pg_catalog.regclass";
    try (PreparedStatement statement = connection.jdbc().prepareStatement(sql)) {
      statement.setString(1, raw);
      Set<String> known = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          known.add(rows.getString(1));
        }
      }
      return known;
    }
  }

  /// A partition's name says when it begins, as exactly as their width needs.
  private static String partition(OnlineTables tables, long start) {
    Duration width = tables.layout().partition();
    String pattern =
        isMultiple(width, ChronoUnit.DAYS)
            ? "uuuuMMdd"
            : isMultiple(width, ChronoUnit.HOURS)
                ? "uuuuMMdd_HH"
                : isMultiple(width, ChronoUnit.MINUTES)
                    ? "uuuuMMdd_HHmm"
                    : "uuuuMMdd_HHmmss_SSSSSS";
    Instant time = Instant.EPOCH.plus(start, ChronoUnit.MICROS);
    return tables.raw()
        + "_p_"
        + DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(time.atOffset(ZoneOffset.UTC));
  }

  private static boolean isMultiple(Duration width, ChronoUnit unit) {
    return width.toNanos() % unit.getDuration().toNanos() == 0;
  }

  @Override
  public void close() {
    Session held = claim;
    claim = null;
    if (held != null) {
      held.close();
    }
  }
}
