package millrace.connectors.kudu;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import org.apache.kudu.client.AsyncKuduClient;
import org.apache.kudu.client.AsyncKuduClient.EncryptionPolicy;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// A cluster, reached by a client of its own, which threads may share. Whoever opens it closes it.
public final class KuduCluster implements AutoCloseable {

  /// How long the client tries again what may pass, if nobody says otherwise.
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /// A busy cluster needs some time for what goes well.
  private static final long TIMEOUT_MILLIS_MIN = 500;

  /// The client's own limit for the beginning of a connection.
  private static final long NEGOTIATION_MILLIS = AsyncKuduClient.DEFAULT_NEGOTIATION_TIMEOUT_MS;

  private final KuduAddress address;
  private final KuduClient client;
  private final WebServers web;
  private boolean closed;

  private KuduCluster(KuduAddress address, KuduClient client, WebServers web) {
    this.address = address;
    this.client = client;
    this.web = web;
  }

  /// Opens it. No server is asked yet.
  ///
  /// @param context says how long to try again at most
  /// @param jwt a token to log in with; null or empty if there is none
  /// @throws Fault.User if an option is not understood
  public static KuduCluster open(
      KuduAddress address, Endpoint endpoint, OpenContext context, @Nullable String jwt) {
    WebServers web = new WebServers(WebServers.master(address, endpoint));
    long requested = context.tries(endpoint.time("timeout", TIMEOUT)).toMillis();
    long millis = Math.max(TIMEOUT_MILLIS_MIN, requested);
    KuduClient.KuduClientBuilder builder =
        new KuduClient.KuduClientBuilder(address.masters())
            .defaultOperationTimeoutMs(millis)
            .defaultAdminOperationTimeoutMs(millis)
            .connectionNegotiationTimeoutMs(Math.min(millis, NEGOTIATION_MILLIS))
            .encryptionPolicy(encryption(endpoint))
            .requireAuthentication(endpoint.flag("require-authentication", false));
    endpoint.text("sasl-protocol").ifPresent(builder::saslProtocolName);
    KuduClient client = builder.build();
    if (jwt != null && !jwt.isEmpty()) {
      client.jwt(jwt);
    }
    return new KuduCluster(address, client, web);
  }

  private static EncryptionPolicy encryption(Endpoint endpoint) {
    String requested = endpoint.text("encryption").orElse("optional");
    return switch (requested.toLowerCase(Locale.ROOT)) {
      case "optional" -> EncryptionPolicy.OPTIONAL;
      case "required" -> EncryptionPolicy.REQUIRED;
      case "required-remote" -> EncryptionPolicy.REQUIRED_REMOTE;
      default ->
          throw new Fault.User(
              "encryption=" + requested + " is none of optional, required and required-remote.",
              "");
    };
  }

  /// Which cluster and table.
  public KuduAddress address() {
    return address;
  }

  /// The client that all share.
  public KuduClient client() {
    return client;
  }

  /// What tells what the servers count; it is closed with the cluster.
  public WebServers web() {
    return web;
  }

  /// The table of the address as it is now; null if there is none.
  public @Nullable KuduTable find(KuduCalls calls) {
    return find(address.table(), calls);
  }

  /// A table by its name; null if there is none.
  public @Nullable KuduTable find(String table, KuduCalls calls) {
    return calls.get(() -> {
      try {
        return client.openTable(table);
      } catch (KuduException e) {
        if (e.getStatus().isNotFound()) {
          return null;
        }
        throw e;
      }
    });
  }

  /// Names of tables that a user may have meant.
  public List<String> tables(KuduCalls calls) {
    return calls.get(() -> client.getTablesList().getTablesList());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    web.close();
    try {
      client.close();
    } catch (KuduException e) {
      throw KuduFaults.of(e, address.label());
    }
  }
}
