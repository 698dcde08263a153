package millrace.connectors.couchdb;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.read.CouchSource;
import millrace.connectors.couchdb.write.CouchTarget;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// `couchdb://user@host:5984/database`, and `couchdbs://` with TLS: CouchDB and what speaks its
/// API.
///
/// The password comes from the connection or COUCHDB_PASSWORD, a user that the URL leaves out from
/// COUCHDB_USER.
public final class CouchConnector implements Connector, Scratch, TableCatalog {

  private static final List<Option> OPTIONS =
      List.of(
          Option.source(
              "fields",
              "Members of documents that become columns, name:type or the type by sample, dots for"
                  + " members of members; column doc has the rest as json. Without, doc is the"
                  + " document as it is.",
              "_id,age:int64,address.city:text"),
          Option.source(
              "filter",
              "A command of the shell that gets documents as JSON Lines and gives JSON Lines: those"
                  + " that are copied. It is run for each split, several at once.",
              "grep -F Tokyo"),
          Option.flag("skip-design", "Leaves design documents out."),
          Option.sourceFlag(
              "local", "Reads the documents that stay with a server (_local) as well."),
          Option.sourceFlag(
              "changes",
              "Reads by _changes and _bulk_get, with every document's history, up to what is"
                  + " written meanwhile."),
          Option.sourceFlag("deleted", "As changes, with what deleted documents leave behind."),
          Option.sourceFlag("conflicts", "As changes, with all revisions that are in conflict."),
          new Option("auth", "How to log in: basic (the default) or cookie.", "cookie"),
          new Option(
              "sslrootcert",
              "Certificates to trust, as PEM; those that the JDK trusts if not given.",
              "/etc/ssl/couch-ca.pem"),
          Option.flag("gzip", "Compresses requests and answers, for slow networks."),
          new Option(
              "request-timeout",
              "How long a server may be silent before a smaller request is tried; 60s if not"
                  + " given.",
              "20s"));

  private final Function<String, @Nullable String> environment;

  public CouchConnector() {
    this(System::getenv);
  }

  /// With another environment than the process's own.
  public CouchConnector(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return DatabaseSettings.SYSTEM;
  }

  @Override
  public List<String> schemes() {
    return List.of(CouchAddress.PLAIN_SCHEME, CouchAddress.TLS_SCHEME);
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    CouchAddress address = CouchAddress.of(endpoint, environment);
    return new HostLocation(
        List.of(),
        List.of(
            new HostLocation.Service(
                "CouchDB", address.host(), address.port(), "beam.smp", List.of())));
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return DocumentOptions.decisive(endpoint);
  }

  @Override
  public @Nullable Endpoint scratch(Endpoint endpoint, String name) {
    int slash = endpoint.location().replaceAll("/$", "").lastIndexOf('/');
    String location = endpoint.location().substring(0, slash + 1) + name;
    return endpoint.at(location);
  }

  @Override
  public void discard(Endpoint scratch) {
    CouchAddress address = CouchAddress.of(scratch, environment);
    try (CouchClient client = new CouchClient(address, scratch)) {
      new HttpCalls(client).json("DELETE", address.databaseUrl(""), null, "deleting it", 404);
    }
  }

  /// The server's databases, but for its own, whose names begin with an underscore.
  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    CouchAddress address = CouchAddress.of(end, environment);
    List<TableEntry> entries = new ArrayList<>();
    try (CouchClient client = new CouchClient(address, end)) {
      String all = address.url("_all_dbs");
      for (JsonNode name : new HttpCalls(client).need("GET", all, null, "listing databases")) {
        if (!name.asText().startsWith("_")
            && TablePattern.matches(address.database(), name.asText())) {
          entries.add(entry(end, name.asText()));
        }
      }
    }
    return entries;
  }

  private static TableEntry entry(Endpoint end, String name) {
    String server = end.location().substring(0, end.location().lastIndexOf('/') + 1);
    return new TableEntry(
        "", name, name, "database", -1, -1, List.of(), end.at(server + CouchAddress.encoded(name)));
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    CouchAddress address = CouchAddress.of(endpoint, environment);
    return new CouchSource(new CouchClient(address, endpoint), endpoint, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    CouchAddress address = CouchAddress.of(endpoint, environment);
    return new CouchTarget(new CouchClient(address, endpoint), endpoint);
  }
}
