package millrace.connectors.stores.google;

import static millrace.connectors.stores.HttpRequests.encoded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.connectors.stores.HttpRequests;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import org.jspecify.annotations.Nullable;

/// A bucket, and the connections to its store, by Google's JSON API. Requests are made again that
/// fail in a way that may pass, and once more if the store does not take the login's token any
/// more.
///
/// Any thread.
final class GoogleBucket {

  static final String LIST = "storage.objects.list";
  static final String GET = "storage.objects.get";
  static final String CREATE = "storage.objects.create";

  static final ObjectMapper JSON = new ObjectMapper();

  private static final int TRIES = 3;
  private static final int TRIES_IF_PATIENT = 10;
  private static final long WAIT_MILLIS = 100;
  private static final long WAIT_MILLIS_MAX = 4_000;
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);

  /// A connection that sends less counts as broken.
  private static final long BYTES_PER_SECOND_MIN = 50_000;

  /// Takes what it needs of an answer that is good, and closes its body if it does not keep that.
  interface Answer<T> {
    T of(HttpResponse<InputStream> response) throws IOException;
  }

  /// By HTTP/2 all lanes would share one connection.
  private final HttpClient client;

  private final int triesIfTurnedAway;

  private final String name;
  private final String root;
  private final @Nullable GoogleLogin login;

  /// @param root where the store answers
  /// @param login null if it is not told who asks
  GoogleBucket(String name, String root, @Nullable GoogleLogin login) {
    this(name, root, login, HttpRequests.client().version(HttpClient.Version.HTTP_1_1).build(), 1);
  }

  private GoogleBucket(
      String name, String root, @Nullable GoogleLogin login, HttpClient client, int tries) {
    this.name = name;
    this.root = root;
    this.login = login;
    this.client = client;
    triesIfTurnedAway = tries;
  }

  /// The same for work of many requests, which makes those again itself that are turned away: it
  /// would come to no end if all were made again for one.
  GoogleBucket patient() {
    return new GoogleBucket(name, root, login, client, TRIES_IF_PATIENT);
  }

  /// An object as a user would name it.
  String location(String key) {
    return "gs://" + name + "/" + key;
  }

  /// Where its objects are.
  private String objects() {
    return "/storage/v1/b/" + encoded(name) + "/o";
  }

  /// A request about one of them.
  ///
  /// @param more behind the object's own path
  HttpRequest.Builder about(String key, String more) {
    return request(objects() + "/" + encoded(key) + more);
  }

  /// A request that uploads one.
  HttpRequest.Builder uploading(String parameters, String type, BodyPublisher body) {
    return request("/upload" + objects() + "?uploadType=" + parameters)
        .header("Content-Type", type)
        .POST(body);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(root + path)).header("User-Agent", "millrace");
  }

  static StoredObject object(JsonNode told) {
    return new StoredObject(
        told.path("name").asText(),
        told.path("size").asLong(),
        OffsetDateTime.parse(told.path("updated").asText()).toInstant(),
        told.path("generation").asText(),
        true);
  }

  /// What is known of an object; null if there is none.
  @Nullable JsonNode find(String key) throws IOException {
    try {
      return json(GET, key, about(key, ""));
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  /// Lists keys that begin so, page by page.
  ///
  /// @param parameters what else is wanted
  /// @param isWhole whether to the end
  List<JsonNode> list(String prefix, String parameters, boolean isWhole) throws IOException {
    String path =
        objects()
            + "?fields=items(name,size,updated,generation),prefixes,nextPageToken"
            + parameters
            + (prefix.isEmpty() ? "" : "&prefix=" + encoded(prefix));
    List<JsonNode> pages = new ArrayList<>();
    String token = "";
    do {
      String next = token.isEmpty() ? path : path + "&pageToken=" + encoded(token);
      try {
        pages.add(json(LIST, prefix, request(next)));
      } catch (NoSuchFileException _) {
        throw missing(prefix);
      }
      token = pages.getLast().path("nextPageToken").asText();
    } while (isWhole && !token.isEmpty());
    return pages;
  }

  /// That there is no such bucket.
  StoreException missing(String key) {
    return new StoreException(
        location(key),
        "the store has no bucket called " + name,
        "See which ones there are:\n    gcloud storage ls",
        false);
  }

  JsonNode json(String right, String key, HttpRequest.Builder request) throws IOException {
    return send(
        right,
        key,
        request,
        response -> {
          try (InputStream in = response.body()) {
            return JSON.readTree(in.readAllBytes());
          }
        });
  }

  /// Sends a request until its answer is good.
  ///
  /// @param right what the user must be allowed to
  /// @param key of the object, or the beginning of keys
  <T> T send(String right, String key, HttpRequest.Builder request, Answer<T> answer)
      throws IOException {
    String location = location(key);
    boolean isRenewed = false;
    for (int tries = 1; ; tries++) {
      try {
        Map<String, List<String>> headers = login == null ? Map.of() : login.headers(location);
        HttpResponse<InputStream> response =
            HttpRequests.send(client, built(request, headers), location);
        if (response.statusCode() < 300) {
          return answer.of(response);
        }
        byte[] said;
        try (InputStream in = response.body()) {
          said = in.readNBytes(1 << 16);
        }
        if (response.statusCode() != 401 || login == null || isRenewed) {
          throw GoogleFaults.of(location, right, login == null, response.statusCode(), said);
        }
        isRenewed = true;
        login.renew(location, headers);
      } catch (IOException e) {
        rest(location, e, tries);
      }
    }
  }

  private static HttpRequest built(HttpRequest.Builder request, Map<String, List<String>> headers) {
    long bytes = request.build().bodyPublisher().map(BodyPublisher::contentLength).orElse(0L);
    headers.forEach((name, values) -> request.setHeader(name, String.join(", ", values)));
    return request.timeout(ANSWER_TIMEOUT.plusSeconds(bytes / BYTES_PER_SECOND_MIN)).build();
  }

  /// Waits before a request is made once more.
  ///
  /// @throws IOException what went wrong with it, if that is of no use
  private void rest(String location, IOException fault, int tries) throws IOException {
    IOException told =
        fault instanceof FileSystemException || fault instanceof InterruptedIOException
            ? fault
            : HttpRequests.broken(location, fault);
    // One that is turned away is made again by whoever asked, and counted.
    int most =
        told instanceof StoreException failed && failed.isTransient()
            ? failed.isTurnedAway() ? triesIfTurnedAway : TRIES
            : 1;
    if (tries >= most) {
      throw told;
    }
    try {
      Thread.sleep(Math.min(WAIT_MILLIS_MAX, WAIT_MILLIS << tries));
    } catch (InterruptedException e) {
      throw HttpRequests.interrupted(e);
    }
  }

  /// Does not wait for answers that nobody has read to their end.
  void close() {
    client.shutdownNow();
  }
}
