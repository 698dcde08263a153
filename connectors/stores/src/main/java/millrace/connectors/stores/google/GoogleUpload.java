package millrace.connectors.stores.google;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.connectors.stores.HttpRequests;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// An object whose parts are objects beside it, with hidden names: `.NAME.millrace-ID-0000001`. At
/// the end the store composes them to one, and they are removed.
///
/// Google's multipart uploads, which are those of S3, take no conditions: of two copies that write
/// the same object, the later one would win without a word. Composing takes one. And no server that
/// can be run for tests has such uploads.
///
/// Listings of the store leave parts out, see {@link #isPart}. They are paid for while they are
/// there, and in a bucket with soft delete for some days longer.
///
/// @param id random, and in the metadata of what this writes: if the answer to the first try is
///   lost, a later one finds it. An upload that has no part can't be found again
/// @param process how many had parts of it before this one, whose parts have names of their own:
///   one that writes on, though another has taken the upload over, does not harm that one
record GoogleUpload(GoogleBucket bucket, String key, String id, int process) implements Upload {

  /// How many objects the store composes at once.
  private static final int SOURCES_MAX = 32;

  private static final int PARTS_MAX = 10_000;
  private static final int REQUESTS_AT_ONCE = 16;
  private static final String BYTES = "application/octet-stream";
  private static final String MARK = "millrace-upload";

  /// Folder, name and upload of a part, the process in hexadecimal digits, and the part's number.
  /// What was composed of some of them has a letter and a number.
  private static final Pattern PART =
      Pattern.compile(
          "(?s)((?:.*/)?)\\.([^/]+)\\.millrace-([0-9a-f]{16})-"
              + "(?:([0-9a-f]{2})([0-9]{5})|[a-z][0-9]{4})");

  private static final int PROCESSES_MAX = 0xff;

  static GoogleUpload begin(GoogleBucket bucket, String key) {
    String random = UUID.randomUUID().toString().replace("-", "");
    return new GoogleUpload(bucket, key, random.substring(0, 16), 0);
  }

  /// Whether a key is that of a part.
  static boolean isPart(String key) {
    return PART.matcher(key).matches();
  }

  /// The uploads to keys that begin so. One that was complete when its process was killed is none:
  /// what is left of it is removed on the way.
  static List<Upload> all(GoogleBucket bucket, String prefix) throws IOException {
    int name = prefix.lastIndexOf('/') + 1;
    List<JsonNode> objects = objects(bucket, prefix);
    if (name < prefix.length()) {
      objects.addAll(objects(bucket, prefix.substring(0, name) + "." + prefix.substring(name)));
    }
    // Those of one upload stand together.
    Deque<GoogleUpload> uploads = new ArrayDeque<>();
    for (JsonNode each : objects) {
      Matcher part = PART.matcher(each.path("name").asText());
      if (part.matches() && (part.group(1) + part.group(2)).startsWith(prefix)) {
        GoogleUpload before = uploads.peekLast();
        GoogleUpload upload =
            new GoogleUpload(
                bucket, part.group(1) + part.group(2), part.group(3), process(part) + 1);
        if (before != null && before.key.equals(upload.key) && before.id.equals(upload.id)) {
          uploads.removeLast();
          upload = before.process > upload.process ? before : upload;
        }
        uploads.addLast(upload);
      }
    }
    List<Upload> incomplete = new ArrayList<>();
    for (GoogleUpload each : uploads) {
      if (each.written(bucket.find(each.key)) == null) {
        incomplete.add(each);
      } else {
        each.abort();
      }
    }
    return incomplete;
  }

  private static List<JsonNode> objects(GoogleBucket bucket, String prefix) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (JsonNode page : bucket.list(prefix, "&maxResults=1000", true)) {
      page.path("items").forEach(objects::add);
    }
    return objects;
  }

  /// What its parts' names begin with.
  private String beginning() {
    int name = key.lastIndexOf('/') + 1;
    return "%s.%s.millrace-%s-".formatted(key.substring(0, name), key.substring(name), id);
  }

  /// Of a part; at most 255 processes may go on with an upload.
  private static int process(Matcher part) {
    String digits = part.group(4);
    return digits == null ? 0 : Math.min(PROCESSES_MAX - 1, Integer.parseInt(digits, 16));
  }

  /// The name of an object, of which a part's tag tells the last 7 letters, and the generation
  /// behind a blank.
  private String name(Part part) {
    return beginning() + part.tag().substring(0, part.tag().indexOf(' '));
  }

  /// Of several of one number the one of the process that came last: it went on behind parts that
  /// all of those before it have.
  @Override
  public List<Part> parts() throws IOException {
    Map<Integer, Part> last = new TreeMap<>();
    // By their names, so that the process that came last is the last one.
    for (JsonNode each : objects(bucket, beginning())) {
      StoredObject object = GoogleBucket.object(each);
      String suffix = object.key().substring(beginning().length());
      if (suffix.length() == 7) {
        int number = Integer.parseInt(suffix, 2, 7, 10);
        last.put(number, new Part(number, object.size(), suffix + " " + object.identity()));
      }
    }
    return List.copyOf(last.values());
  }

  @Override
  public Part put(int number, byte[] bytes, int length) throws IOException {
    String suffix = "%02x%05d".formatted(process, number);
    HttpRequest.Builder request =
        bucket.uploading(
            "media&name=" + HttpRequests.encoded(beginning() + suffix),
            BYTES,
            BodyPublishers.ofByteArray(bytes, 0, length));
    try {
      JsonNode told = bucket.json(GoogleBucket.CREATE, key, request);
      return new Part(number, length, suffix + " " + told.path("generation").asText());
    } catch (NoSuchFileException _) {
      throw bucket.missing(key);
    }
  }

  @Override
  public long partBytesMin() {
    return 1;
  }

  @Override
  public int partsMax() {
    return PARTS_MAX;
  }

  /// Writes an object that has no parts, in one request.
  StoredObject single(byte[] bytes, @Nullable String expected) throws IOException {
    String head =
        """
        --%1$s\r
        Content-Type: application/json; charset=UTF-8\r
        \r
        %2$s\r
        --%1$s\r
        Content-Type: %3$s\r
        \r
        """
            .formatted(id, destination().put("name", key), BYTES);
    BodyPublisher body =
        BodyPublishers.concat(
            BodyPublishers.ofString(head),
            BodyPublishers.ofByteArray(bytes),
            BodyPublishers.ofString("\r\n--" + id + "--\r\n"));
    try {
      return write(
          bucket.uploading(
              "multipart" + condition(expected), "multipart/related; boundary=" + id, body),
          expected);
    } catch (NoSuchFileException _) {
      throw bucket.missing(key);
    }
  }

  /// Looks first, and does not compose for nothing if the condition is going to refuse it.
  @Override
  public StoredObject complete(List<Part> parts, @Nullable String expected) throws IOException {
    return new GoogleUpload(bucket.patient(), key, id, process).completed(parts, expected);
  }

  private StoredObject completed(List<Part> parts, @Nullable String expected) throws IOException {
    @Nullable JsonNode there = bucket.find(key);
    @Nullable StoredObject written = written(there);
    if (written == null) {
      String generation = there == null ? "" : there.path("generation").asText();
      if (expected != null && !expected.equals(generation)) {
        throw unexpected(expected);
      }
      // The store composes nothing of nothing.
      written = composed(parts.isEmpty() ? List.of(put(1, new byte[0], 0)) : parts, expected);
    }
    abort();
    return written;
  }

  private StoredObject composed(List<Part> parts, @Nullable String expected) throws IOException {
    StoreException gone =
        new StoreException(
            bucket.location(key),
            "this upload is no more: it was completed or aborted elsewhere",
            false);
    if (!new HashSet<>(parts()).containsAll(parts)) {
      throw gone;
    }
    List<String> sources = parts.stream().map(this::name).toList();
    // If another has been put in the place of one of these, there is no such object.
    Map<String, String> generations =
        parts.stream()
            .collect(
                Collectors.toMap(
                    this::name, part -> part.tag().substring(part.tag().indexOf(' ') + 1)));
    try {
      for (char level = 'a'; sources.size() > SOURCES_MAX; level++) {
        List<Callable<String>> composing = new ArrayList<>();
        for (int from = 0; from < sources.size(); from += SOURCES_MAX) {
          String name = "%s%s%04d".formatted(beginning(), level, composing.size());
          HttpRequest.Builder request =
              composing(
                  name,
                  sources.subList(from, Math.min(sources.size(), from + SOURCES_MAX)),
                  generations,
                  "");
          composing.add(() -> bucket.json(GoogleBucket.CREATE, key, request).path("name").asText());
        }
        sources = done(composing);
      }
      return write(composing(key, sources, generations, condition(expected)), expected);
    } catch (NoSuchFileException _) {
      throw gone;
    }
  }

  /// @param generations of those that are parts
  private HttpRequest.Builder composing(
      String name, List<String> sources, Map<String, String> generations, String condition) {
    ObjectNode body = GoogleBucket.JSON.createObjectNode();
    body.set("destination", destination());
    for (String source : sources) {
      ObjectNode each = body.withArray("sourceObjects").addObject().put("name", source);
      if (generations.containsKey(source)) {
        each.put("generation", generations.get(source));
      }
    }
    return bucket
        .about(name, "/compose?alt=json" + condition)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body.toString()));
  }

  /// What the store is to know of what this writes.
  private ObjectNode destination() {
    ObjectNode destination = GoogleBucket.JSON.createObjectNode().put("contentType", BYTES);
    destination.putObject("metadata").put(MARK, id);
    return destination;
  }

  private static String condition(@Nullable String expected) {
    return expected == null
        ? ""
        : "&ifGenerationMatch=" + (expected.isEmpty() ? "0" : HttpRequests.encoded(expected));
  }

  private StoredObject write(HttpRequest.Builder request, @Nullable String expected)
      throws IOException {
    try {
      return GoogleBucket.object(bucket.json(GoogleBucket.CREATE, key, request));
    } catch (FileAlreadyExistsException _) {
      @Nullable StoredObject written = written(bucket.find(key));
      if (written == null) {
        throw unexpected(expected);
      }
      return written;
    }
  }

  /// That object, if it is what this wrote.
  private @Nullable StoredObject written(@Nullable JsonNode there) {
    return there != null && there.path("metadata").path(MARK).asText().equals(id)
        ? GoogleBucket.object(there)
        : null;
  }

  private FileAlreadyExistsException unexpected(@Nullable String expected) {
    return new FileAlreadyExistsException(
        bucket.location(key),
        null,
        "".equals(expected) ? "it is there already" : GoogleFaults.CHANGED);
  }

  @Override
  public void abort() throws IOException {
    GoogleBucket patient = bucket.patient();
    List<Callable<String>> removing = new ArrayList<>();
    for (JsonNode each : objects(patient, beginning())) {
      removing.add(() -> delete(patient, each.path("name").asText()));
    }
    done(removing);
  }

  /// Removes an object, if it is there.
  static String delete(GoogleBucket bucket, String key) throws IOException {
    try {
      return bucket.send(
          "storage.objects.delete",
          key,
          bucket.about(key, "").DELETE(),
          response -> {
            response.body().close();
            return key;
          });
    } catch (NoSuchFileException _) {
      return key;
    }
  }

  /// Does all of that, some at a time.
  private static List<String> done(List<Callable<String>> work) throws IOException {
    try (ExecutorService pool = Executors.newFixedThreadPool(REQUESTS_AT_ONCE)) {
      List<String> results = new ArrayList<>();
      for (Future<String> each : pool.invokeAll(work)) {
        results.add(each.get());
      }
      return results;
    } catch (InterruptedException e) {
      throw HttpRequests.interrupted(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException told ? told : new IOException(e.getCause());
    }
  }
}
