package millrace.connectors.kudu;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// The web servers of the masters and tablet servers, which tell what they count: `/metrics`
/// (https://kudu.apache.org/docs/administration.html#_collecting_metrics_via_http). The master's
/// page `/tablet-servers` tells where those of the tablet servers are. Any thread.
public final class WebServers implements AutoCloseable {

  private static final int MASTER_PORT = 8051;
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String master;
  private @Nullable HttpClient http;

  /// Asks nothing yet.
  ///
  /// @param master URL of the web server of a master
  WebServers(String master) {
    this.master = master;
  }

  /// Where the web server of a master is.
  ///
  /// @throws Fault.User if the option is no address
  static String master(KuduAddress address, Endpoint endpoint) {
    String first = address.masters().getFirst();
    String host = first.substring(0, first.lastIndexOf(':'));
    String requested = endpoint.text("web").orElse("http://" + host + ":" + MASTER_PORT);
    String url = requested.contains("://") ? requested : "http://" + requested;
    if (!url.matches("https?://[^/\\s]+/?")) {
      throw new Fault.User("web=" + requested + " is no address.", "Write for example web=m1:8051");
    }
    return url.replaceAll("/$", "");
  }

  /// What all tablet servers count under those names: entities as `/metrics` has them.
  ///
  /// @throws Fault.External if one can't be asked
  public List<JsonNode> metrics(String names) {
    List<JsonNode> entities = new ArrayList<>();
    String page = get(master + "/tablet-servers?raw");
    // What is raw stands between tags all the same.
    int from = Math.max(0, page.indexOf('{'));
    JsonNode servers = parse(page.substring(from, Math.max(from, page.lastIndexOf('}') + 1)));
    for (JsonNode server : servers.path("live_tservers")) {
      String target = server.path("target").asText();
      parse(get(target + "/metrics?metrics=" + names)).forEach(entities::add);
    }
    return entities;
  }

  /// What the master counts of itself under those names.
  ///
  /// @throws Fault.External if it can't be asked
  public List<JsonNode> masterMetrics(String names) {
    List<JsonNode> entities = new ArrayList<>();
    for (JsonNode entity : parse(get(master + "/metrics?metrics=" + names))) {
      if (entity.path("type").asText().equals("server")) {
        entities.add(entity);
      }
    }
    return entities;
  }

  private String get(String url) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).build();
    try {
      HttpResponse<String> answer = client().send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new Fault.External(url + " answers " + answer.statusCode() + ".", "", null);
      }
      return answer.body();
    } catch (IOException e) {
      throw new Fault.External(
          url + " can't be read (" + e.getClass().getSimpleName() + ").",
          "Say where the master's web server is: web=host:8051",
          e);
    } catch (InterruptedException e) {
      throw new Fault.Cancelled("reading " + url + " was stopped");
    }
  }

  private synchronized HttpClient client() {
    if (http == null) {
      http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    }
    return http;
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new Fault.External("what a web server of Kudu counts is no JSON.", "", e);
    }
  }

  @Override
  public synchronized void close() {
    if (http != null) {
      http.close();
    }
  }
}
