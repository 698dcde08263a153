package millrace.connectors.kudu;

import java.util.List;
import java.util.function.Function;
import millrace.connectors.kudu.online.KuduOnlineStore;
import millrace.connectors.kudu.read.KuduSource;
import millrace.connectors.kudu.write.KuduTarget;
import millrace.connectors.kudu.write.TableOptions;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;
import millrace.spi.online.Online;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineStore;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.StagingName;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// `kudu://master:7051/database.table`: tables of Apache Kudu.
///
/// The client logs in with the Kerberos ticket that it finds, or with the token in KUDU_JWT.
public final class KuduConnector implements Connector, Scratch, Online, TableCatalog {

  private static final List<Option> OPTIONS =
      List.of(
          new Option("table", "The table, if the URL does not name it.", "default.meters"),
          Option.source(
              "read",
              "Which state is read: snapshot (one moment for all lanes, the default), latest, or"
                  + " yours (latest, and all that this client has written).",
              "latest"),
          Option.source(
              "replica", "Which replica is read: leader (the default) or closest.", "closest"),
          Option.sourceFlag(
              "fault-tolerant",
              "Scans go on at another replica if a tablet server dies; rows come in the order of"
                  + " the key, which costs time. Without, such a split is read again."),
          new Option(
              "timestamps",
              "What unixtime_micros is: instant (timestamptz) or plain (timestamp, in UTC)."
                  + " Without, the column's comment tells.",
              "plain"),
          Option.target("primary-key", "The key of a new table, in key order.", "device_id,time"),
          Option.target(
              "partition-by",
              "How a new table is cut: hash(columns) buckets; range(column) width from start to"
                  + " end.",
              "hash(id) 4; range(time) 1 day from 2026-01-01 to 2026-02-01"),
          Option.target(
              "partition-ahead",
              "How many ranges are kept in front of the latest row; partition-by says how wide they"
                  + " are.",
              "24"),
          Option.target(
              "replicas",
              "How many replicas a new table has; 3 if there are as many" + " tablet servers.",
              "1"),
          Option.target(
              "encoding",
              "Encodings of a new table's columns, column:encoding.",
              "device_id:bitshuffle,name:dictionary"),
          Option.target(
              "compression",
              "Compression of a new table's columns: one for all, or column:algorithm.",
              "lz4"),
          Option.target(
              "write",
              "How rows are written: insert (a key that is there is a bad record, the default),"
                  + " insert-ignore (it is left as it is) or upsert (it is updated).",
              "upsert"),
          new Option(
              "web",
              "The web server of a master, for the servers' counters; port 8051 of the first master"
                  + " if not given.",
              "m1:8051"),
          new Option("timeout", "How long the client tries again what may pass; 30s.", "60s"),
          new Option(
              "sasl-protocol", "The service name of the servers' Kerberos principals.", "kudu"),
          Option.flag("require-authentication", "Refuses servers that do not ask who this is."),
          new Option(
              "encryption", "optional (the default), required-remote or required.", "required"));

  private final Function<String, @Nullable String> environment;

  public KuduConnector() {
    this(System::getenv);
  }

  /// With another environment than the process's own.
  public KuduConnector(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return KuduTypes.SYSTEM;
  }

  @Override
  public List<String> schemes() {
    return List.of("kudu");
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  /// The tablet servers do the work. Where they are only the masters know: those on the first
  /// master's host are found by their connections with it.
  @Override
  public HostLocation place(Endpoint endpoint) {
    String master = KuduAddress.of(endpoint).masters().getFirst();
    int colon = master.lastIndexOf(':');
    String host = master.substring(0, colon).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(master.substring(colon + 1));
    return new HostLocation(
        List.of(),
        List.of(
            new HostLocation.Service(
                "Kudu tablet servers, master", host, port, "kudu-tserver", List.of())));
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return KuduIdentityOptions.decisive(endpoint);
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    KuduAddress address = KuduAddress.of(endpoint);
    return endpoint.with("table", TableOptions.beside(address.table(), name));
  }

  @Override
  public void discard(Endpoint scratch) {
    try (KuduCluster cluster = open(scratch, new OpenContext())) {
      KuduCalls calls = new KuduCalls(cluster.address().label());
      if (cluster.find(calls) != null) {
        calls.get(() -> cluster.client().deleteTable(cluster.address().table(), 0));
      }
    }
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    TablePattern pattern = TablePattern.parse(KuduAddress.of(end).table());
    try (KuduCluster cluster = open(end, context)) {
      return cluster.tables(new KuduCalls(end.label())).stream()
          .filter(name -> pattern.matchesWhole(name) && !StagingName.isOwn(name))
          .sorted()
          .map(name -> entry(end, name))
          .toList();
    }
  }

  /// Names have dots and colons in them, and no quotes.
  private static TableEntry entry(Endpoint end, String name) {
    String masters = end.location().replaceFirst("(?<=[^/])/.*", "");
    Endpoint alone = end.at(masters).with("table", name);
    String bare = TableOptions.bareName(name);
    String database =
        name.length() == bare.length() ? "" : name.substring(0, name.length() - bare.length() - 1);
    return new TableEntry(database, bare, bare, "table", -1, -1, List.of(), alone);
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    return new KuduSource(open(endpoint, context), endpoint, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return new KuduTarget(open(endpoint, context), endpoint, writeOptions);
  }

  @Override
  public String tableName(Endpoint endpoint) {
    return TableOptions.bareName(KuduAddress.of(endpoint).table());
  }

  @Override
  public OnlineStore online(Endpoint endpoint, OnlineLayout layout, OpenContext context) {
    KuduCluster cluster = open(endpoint, context);
    try {
      return new KuduOnlineStore(cluster, endpoint, layout);
    } catch (Fault e) {
      cluster.close();
      throw e;
    }
  }

  private KuduCluster open(Endpoint endpoint, OpenContext context) {
    String secret = endpoint.secret().reveal();
    String jwt = secret == null ? environment.apply("KUDU_JWT") : secret;
    return KuduCluster.open(KuduAddress.of(endpoint), endpoint, context, jwt);
  }
}
