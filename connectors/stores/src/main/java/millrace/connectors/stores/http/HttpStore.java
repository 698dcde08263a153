package millrace.connectors.stores.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.stores.AnswerBody;
import millrace.connectors.stores.HttpRequests;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// One web server, by HTTP as RFC 9110 has it. A file is read from anywhere if the server answers a
/// request for its first byte with that byte alone.
final class HttpStore implements ObjectStore {

  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:([0-9]+)-([0-9]+)|\\*)/([0-9]+|\\*)");

  /// What may not stand in a URL as it is, and people write all the same.
  private static final Pattern UNQUOTED = Pattern.compile("[ \"<>\\\\^`{|}]|[^\\x00-\\x7f]");

  private final HttpClient client = HttpRequests.client().build();
  private final String root;
  private final String query;

  /// @param root the server, with a slash at the end
  /// @param query what stands behind a question mark of each URL; may sign it, and is never told
  HttpStore(String root, String query) {
    this.root = root;
    this.query = query;
  }

  @Override
  public boolean lists() {
    return false;
  }

  @Override
  public Listing list(String folder) throws IOException {
    throw new StoreException(
        root + folder, "a web server does not list its files", "Name each file.", false);
  }

  @Override
  public @Nullable StoredObject find(String key) throws IOException {
    HttpResponse<InputStream> response = get(key, "bytes=0-0");
    try (InputStream _ = response.body()) {
      return switch (response.statusCode()) {
        case 206 -> object(key, response.headers(), total(key, response.headers()), true);
        // It has no byte.
        case 416 -> object(key, response.headers(), 0, true);
        case 200 ->
            object(
                key,
                response.headers(),
                response.headers().firstValueAsLong("content-length").orElse(-1),
                false);
        case 404, 410 -> null;
        default -> throw refused(key, response.statusCode());
      };
    }
  }

  private long total(String key, HttpHeaders headers) throws IOException {
    Matcher range = CONTENT_RANGE.matcher(headers.firstValue("content-range").orElse(""));
    if (!range.matches() || range.group(3).equals("*")) {
      throw new StoreException(root + key, "the server does not tell how long it is", false);
    }
    return Long.parseLong(range.group(3));
  }

  private static StoredObject object(String key, HttpHeaders headers, long size, boolean ranges) {
    String written = headers.firstValue("last-modified").orElse("");
    String tag = headers.firstValue("etag").orElse(written + " " + size);
    return new StoredObject(key, size, instant(written), tag, ranges);
  }

  private static Instant instant(String written) {
    try {
      return written.isEmpty()
          ? Instant.EPOCH
          : ZonedDateTime.parse(written, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException _) {
      // It is what the server says, and no more is done with it than to compare it.
      return Instant.EPOCH;
    }
  }

  @Override
  public InputStream read(StoredObject object, long from, long to) throws IOException {
    String key = object.key();
    HttpResponse<InputStream> response =
        get(key, object.hasRanges() ? "bytes=" + from + "-" + (to - 1) : "");
    try {
      check(object, response, from);
      return object.hasRanges() ? new AnswerBody(response.body(), to - from) : response.body();
    } catch (IOException e) {
      response.body().close();
      throw e;
    }
  }

  private void check(StoredObject object, HttpResponse<InputStream> response, long from)
      throws IOException {
    String key = object.key();
    int status = response.statusCode();
    if (status == 404 || status == 410) {
      throw new NoSuchFileException(root + key);
    }
    if (status == 416) {
      throw changed(key);
    }
    if (status != (object.hasRanges() ? 206 : 200)) {
      throw refused(key, status);
    }
    long size = object.hasRanges() ? total(key, response.headers()) : object.size();
    StoredObject now = object(key, response.headers(), size, object.hasRanges());
    Matcher range =
        CONTENT_RANGE.matcher(response.headers().firstValue("content-range").orElse(""));
    boolean isThere =
        !object.hasRanges() || (range.matches() && String.valueOf(from).equals(range.group(1)));
    if (!isThere || size != object.size() || !now.identity().equals(object.identity())) {
      throw changed(key);
    }
  }

  private StoreException changed(String key) {
    return new StoreException(root + key, "it was written to since it was looked at", false);
  }

  /// What a server that did not give a file meant by it.
  private IOException refused(String key, int status) {
    String location = root + key;
    return switch (status) {
      case 401 ->
          new AccessDeniedException(
              location, null, "the server wants to know who asks (status 401)");
      case 403 ->
          new AccessDeniedException(location, null, "the server does not give it (status 403)");
      case 429, 503 ->
          StoreException.turnedAway(
              location, "the server has no time for it (status " + status + ")");
      case 408, 425, 500, 502, 504 ->
          new StoreException(
              location, "the server has no time for it (status " + status + ")", true);
      default -> new StoreException(location, "the server answers status " + status, false);
    };
  }

  /// @param range empty for all
  private HttpResponse<InputStream> get(String key, String range) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(key)).timeout(ANSWER_TIMEOUT).header("User-Agent", "millrace");
    if (!range.isEmpty()) {
      request.header("Range", range);
    }
    return HttpRequests.send(client, request.build(), root + key);
  }

  private URI uri(String key) throws IOException {
    String text =
        UNQUOTED.matcher(root + key).replaceAll(found -> HttpRequests.encoded(found.group()));
    try {
      return URI.create(query.isEmpty() ? text : text + "?" + query);
    } catch (IllegalArgumentException _) {
      // Its message would repeat the query.
      throw new StoreException(root + key, "it is no URL", false);
    }
  }

  private IOException onlyRead(String key) {
    return new StoreException(root + key, "a web server is only read from", false);
  }

  @Override
  public Upload upload(String key) throws IOException {
    throw onlyRead(key);
  }

  @Override
  public List<Upload> uploads(String prefix) {
    return List.of();
  }

  @Override
  public StoredObject put(String key, byte[] bytes, @Nullable String expected) throws IOException {
    throw onlyRead(key);
  }

  @Override
  public void delete(String key) throws IOException {
    throw onlyRead(key);
  }

  @Override
  public void close() {
    client.close();
  }
}
