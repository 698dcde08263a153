package millrace.connectors.couchdb;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import millrace.spi.Endpoint;
import millrace.spi.Secret;

/// What of CouchDB's API a copy needs, over documents that are kept as the bytes that came: PouchDB
/// rounds numbers, CouchDB does not. It refuses, stalls and breaks off as it is told.
public final class KeepingServer implements AutoCloseable {

  /// A request.
  public record Request(String method, String path, Map<String, String> query, byte[] body) {

    public boolean isOf(String end) {
      return path.endsWith(end);
    }
  }

  /// What becomes of a request.
  public sealed interface Harm {
    /// It is answered with that status.
    record Status(int status, String retryAfter) implements Harm {}

    /// It is carried out and answered with that status all the same: by a gateway that has given up
    /// on it.
    record GivenUp(int status) implements Harm {}

    /// It is never answered.
    record Stall() implements Harm {}

    /// So many documents are given, and for each of the others an error, with a status of 200: as
    /// `_bulk_get` does if a part of CouchDB itself does not answer.
    record Unable(int given) implements Harm {}

    /// It is answered as if it were of another database: by a node of a cluster that was away, and
    /// lacks what was written meanwhile.
    record Of(String database) implements Harm {}

    /// It is answered when as many such requests have come as the latch wants.
    record Meet(CountDownLatch all) implements Harm {}

    /// Its answer ends after so many bytes, without a word.
    record Cut(int bytes) implements Harm {}

    /// It is too large, but the answer that says so is lost with the connection, unless it was
    /// asked for before the body came.
    record HangUp() implements Harm {}
  }

  /// The documents of a database, each with when it was written last, and those that stay with it.
  private static final class Database {
    /// When it was made: later for one that is made anew.
    private final int made;

    private final NavigableMap<String, byte[]> documents = new ConcurrentSkipListMap<>();
    private final Map<String, Integer> changed = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> local = new ConcurrentHashMap<>();
    private int changes;

    Database(int made) {
      this.made = made;
    }

    synchronized void put(String id, byte[] document) {
      byte[] before = documents.put(id, document);
      if (before == null || !Arrays.equals(before, document)) {
        changed.put(id, ++changes);
      }
    }

    synchronized int changes() {
      return changes;
    }

    synchronized List<Map.Entry<String, Integer>> since(int sequence) {
      return changed.entrySet().stream()
          .filter(each -> each.getValue() > sequence)
          .sorted(Map.Entry.comparingByValue())
          .toList();
    }
  }

  private static final Pattern LEGAL_NAME = Pattern.compile("[a-z][a-z0-9_$()+/-]*");

  private record Rule(Predicate<Request> when, AtomicInteger left, Harm harm) {}

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Database> databases = new HashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private int deletions;
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private volatile int cookieSeconds = 600;
  private volatile int uptimeSeconds = 86_400;
  private volatile int copies = 1;
  private volatile int backSeconds = 86_400;
  private volatile int jobs;

  public KeepingServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  public Endpoint database(String name, Map<String, String> parameters) {
    return databaseAt(port(), name, parameters);
  }

  /// The same behind that port.
  static Endpoint databaseAt(int port, String name, Map<String, String> parameters) {
    String location = "//localhost:" + port + "/" + name;
    return new Endpoint("couchdb", location, parameters, Secret.NONE);
  }

  /// The same for a user that logs in.
  Endpoint databaseOfUser(String name, Map<String, String> parameters) {
    String location = "//me@localhost:" + port() + "/" + name;
    return new Endpoint("couchdb", location, parameters, Secret.of("word"));
  }

  /// How long logins are good for; 600 seconds unless it is told.
  void cookiesLast(int seconds) {
    cookieSeconds = seconds;
  }

  /// For how long it says that it has been up; a day unless it is told.
  public void isUpFor(int seconds) {
    uptimeSeconds = seconds;
  }

  /// How many copies of a document its cluster has, as it says; one unless it is told.
  void hasCopies(int number) {
    copies = number;
  }

  /// Says for how long the last node of the cluster has been back, and how much the others have yet
  /// to send; it never went away unless it is told.
  void isBackFor(int seconds, int toSend) {
    backSeconds = seconds;
    jobs = toSend;
  }

  /// Puts documents into a database, which is made if it is missing.
  public void put(String name, String... documents) {
    Database into = make(name);
    for (String document : documents) {
      byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
      into.put(id(bytes), bytes);
    }
  }

  /// Takes a document away that the changes of its database go on naming.
  void loses(String name, String id) {
    make(name).documents.remove(id);
  }

  /// Somebody deletes a database.
  synchronized void drop(String name) {
    databases.remove(name);
    deletions++;
  }

  /// Somebody deletes a database and makes it again, so fast that nobody finds it missing.
  synchronized void makeAnew(String name, String... documents) {
    drop(name);
    put(name, documents);
  }

  private synchronized Database make(String name) {
    return databases.computeIfAbsent(name, _ -> new Database(1 + deletions));
  }

  /// The names of the documents of a database that stay with the server.
  Set<String> local(String name) {
    return make(name).local.keySet();
  }

  /// Puts one of them there, as somebody else would.
  synchronized void putLocal(String name, String id, String document) throws IOException {
    make(name).local.put(id, (ObjectNode) JSON.readTree(document));
  }

  /// The documents of a database by id, as they came.
  Map<String, String> documents(String name) {
    Map<String, String> documents = new TreeMap<>();
    make(name)
        .documents
        .forEach((id, bytes) -> documents.put(id, new String(bytes, StandardCharsets.UTF_8)));
    return documents;
  }

  synchronized boolean has(String name) {
    return databases.containsKey(name);
  }

  public List<Request> requests(String end) {
    return requests.stream().filter(request -> request.isOf(end)).toList();
  }

  /// Does harm to the first so many requests that fit.
  public void harm(int count, Predicate<Request> when, Harm harm) {
    rules.add(new Rule(when, new AtomicInteger(count), harm));
  }

  private void handle(HttpExchange exchange) throws IOException {
    Request request =
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            query(exchange.getRequestURI().getRawQuery()),
            exchange.getRequestBody().readAllBytes());
    requests.add(request);
    for (Rule rule : rules) {
      if (rule.when().test(request) && rule.left().getAndDecrement() > 0) {
        harm(exchange, request, rule.harm());
        return;
      }
    }
    if (request.isOf("/_session")) {
      exchange.getResponseHeaders().set("Set-Cookie", "AuthSession=abc; Max-Age=" + cookieSeconds);
    }
    give(exchange, answer(request));
  }

  private static void give(HttpExchange exchange, Answer answer) throws IOException {
    send(exchange, answer.status(), answer.body(), answer.body().length);
  }

  private void harm(HttpExchange exchange, Request request, Harm harm) throws IOException {
    switch (harm) {
      case Harm.Stall _ -> {
        // It is never answered.
      }
      case Harm.GivenUp(int status) -> {
        answer(request);
        refuse(exchange, status);
      }
      case Harm.Meet(CountDownLatch all) -> {
        meet(all);
        give(exchange, answer(request));
      }
      case Harm.Of(String other) -> {
        String path = request.path().replaceFirst("^/[^/]+", "/" + other);
        give(
            exchange, answer(new Request(request.method(), path, request.query(), request.body())));
      }
      case Harm.Unable(int given) -> {
        NavigableMap<String, byte[]> all = make(request.path().split("/", 3)[1]).documents;
        give(exchange, new Answer(200, named(all, request.body(), given)));
      }
      case Harm.Cut(int bytes) -> send(exchange, 200, answer(request).body(), bytes);
      case Harm.HangUp _ -> {
        if (exchange.getRequestHeaders().containsKey("Expect")) {
          refuse(exchange, 413);
        } else {
          exchange.close();
        }
      }
      case Harm.Status(int status, String retryAfter) -> {
        exchange.getResponseHeaders().set("Retry-After", retryAfter);
        refuse(exchange, status);
      }
    }
  }

  private static void meet(CountDownLatch all) throws IOException {
    all.countDown();
    try {
      if (!all.await(30, TimeUnit.SECONDS)) {
        throw new IOException("the others never came");
      }
    } catch (InterruptedException e) {
      throw new IOException("the server is stopped", e);
    }
  }

  private static void refuse(HttpExchange exchange, int status) throws IOException {
    give(exchange, new Answer(status, json("{'error':'harm','reason':'told to'}")));
  }

  private static void send(HttpExchange exchange, int status, byte[] body, int bytes)
      throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body, 0, Math.min(bytes, body.length));
    exchange.close();
  }

  private record Answer(int status, byte[] body) {}

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private Answer answer(Request request) throws IOException {
    if (request.isOf("/_node/_local/_stats")) {
      String value = "{'value':" + requests.size() + ",'type':'counter'}";
      String gauge = "{'value':3,'type':'gauge'}";
      String open = "'open':" + gauge + ",'open_databases':" + value;
      return new Answer(200, json("{'couchdb':{'httpd':{'requests':" + value + "}," + open + "}}"));
    }
    if (request.isOf("/_membership")) {
      return new Answer(200, json("{'all_nodes':['a@here','b@here'],'cluster_nodes':[]}"));
    }
    if (request.isOf("@here/_system")) {
      boolean isBack = request.path().contains("b@here");
      int left = isBack ? 0 : jobs;
      String up = "'uptime':" + (isBack ? backSeconds : 86_400);
      return new Answer(200, json("{" + up + ",'internal_replication_jobs':" + left + "}"));
    }
    if (request.isOf("/_node/_local/_system")) {
      return new Answer(200, json("{'uptime':" + uptimeSeconds + ",'memory':{}}"));
    }
    if (request.isOf("/_session")) {
      return new Answer(200, json("{'ok':true}"));
    }
    String[] path = request.path().split("/", 3);
    String name = path[1];
    String rest = path.length > 2 ? path[2] : "";
    if (rest.isEmpty() && request.method().equals("PUT")) {
      if (!LEGAL_NAME.matcher(name).matches()) {
        String reason = "Name: '" + name + "'. Only lowercase characters (a-z) are allowed.";
        ObjectNode refusal = JSON.createObjectNode();
        refusal.put("error", "illegal_database_name").put("reason", reason);
        return new Answer(400, JSON.writeValueAsBytes(refusal));
      }
      if (has(name)) {
        return new Answer(412, json("{'error':'file_exists','reason':'it is there'}"));
      }
      make(name);
      return new Answer(201, json("{'ok':true}"));
    }
    if (!has(name)) {
      return new Answer(404, json("{'error':'not_found','reason':'no such database'}"));
    }
    Database database = make(name);
    NavigableMap<String, byte[]> documents = database.documents;
    if (rest.startsWith("_local/")) {
      return local(database, rest, request);
    }
    return switch (rest) {
      case "" -> database(request, name, database);
      case "_all_docs" ->
          new Answer(
              200,
              request.method().equals("POST")
                  ? page(chosen(documents, request.body()), Map.of("include_docs", "true"))
                  : page(documents, request.query()));
      case "_local_docs" -> new Answer(200, localNames(database, request.query()));
      case "_bulk_docs" -> bulk(database, request.body());
      case "_changes" -> new Answer(200, changes(database, request.query()));
      case "_bulk_get" -> new Answer(200, named(documents, request.body(), Integer.MAX_VALUE));
      case "_security" -> new Answer(200, json("{}"));
      case "_ensure_full_commit" -> new Answer(201, json("{'ok':true}"));
      default -> {
        byte[] document = documents.get(rest);
        yield document == null
            ? new Answer(404, json("{'error':'not_found','reason':'missing'}"))
            : new Answer(200, document);
      }
    };
  }

  /// Documents that stay with the server, of which revisions must be given as of others.
  private static Answer local(Database database, String id, Request request) throws IOException {
    ObjectNode known = database.local.get(id);
    return switch (request.method()) {
      case "PUT" -> {
        ObjectNode given = (ObjectNode) JSON.readTree(request.body());
        String before = known == null ? "" : known.path("_rev").asText();
        if (!given.path("_rev").asText().equals(before)) {
          yield new Answer(409, json("{'error':'conflict','reason':'another revision'}"));
        }
        String revision = "0-" + (before.isEmpty() ? 1 : Integer.parseInt(before.substring(2)) + 1);
        database.local.put(id, given.put("_rev", revision));
        yield new Answer(201, json("{'ok':true,'id':'" + id + "','rev':'" + revision + "'}"));
      }
      case "DELETE" -> {
        boolean there = database.local.remove(id) != null;
        yield new Answer(there ? 200 : 404, json("{'ok':" + there + "}"));
      }
      default ->
          known == null
              ? new Answer(404, json("{'error':'not_found','reason':'missing'}"))
              : new Answer(200, JSON.writeValueAsBytes(known));
    };
  }

  /// The names of the documents that stay with the server, between two keys.
  private static byte[] localNames(Database database, Map<String, String> query)
      throws IOException {
    String start = JSON.readTree(query.get("startkey")).asText();
    String end = JSON.readTree(query.get("endkey")).asText();
    List<byte[]> rows = new ArrayList<>();
    new TreeMap<>(database.local)
        .subMap(start, true, end, true)
        .forEach((id, document) -> {
          String value = "{'rev':" + document.path("_rev") + "}";
          rows.add(json("{'id':'%s','key':'%s','value':%s}".formatted(id, id, value)));
        });
    return array("{\"total_rows\":null,\"offset\":null,\"rows\":[\r\n", rows, "\r\n]}\n");
  }

  private synchronized Answer database(Request request, String name, Database database) {
    if (request.method().equals("DELETE")) {
      databases.remove(name);
      return new Answer(200, json("{'ok':true}"));
    }
    int here = database.documents.size();
    int deleted = database.changed.size() - here;
    String counts = "'doc_count':" + here + ",'doc_del_count':" + deleted;
    long bytes = database.documents.values().stream().mapToLong(each -> each.length).sum();
    String cluster = "'cluster':{'n':" + copies + "},'sizes':{'external':" + bytes + "}";
    String sequence = "'update_seq':'" + sequence(database.changes()) + "'";
    String made = "'instance_start_time':'" + database.made + "'";
    return new Answer(
        200, json("{'db_name':'%s',%s,%s,%s,%s}".formatted(name, counts, sequence, made, cluster)));
  }

  /// The documents that a request names.
  private static NavigableMap<String, byte[]> chosen(
      NavigableMap<String, byte[]> all, byte[] request) throws IOException {
    NavigableMap<String, byte[]> some = new TreeMap<>();
    for (JsonNode key : JSON.readTree(request).path("keys")) {
      byte[] document = all.get(key.asText());
      if (document != null) {
        some.put(key.asText(), document);
      }
    }
    return some;
  }

  private static byte[] page(NavigableMap<String, byte[]> all, Map<String, String> query)
      throws IOException {
    NavigableMap<String, byte[]> some = all;
    if (query.containsKey("startkey")) {
      some = some.tailMap(JSON.readTree(query.get("startkey")).asText(), true);
    }
    if (query.containsKey("endkey")) {
      boolean inclusive = !"false".equals(query.get("inclusive_end"));
      some = some.headMap(JSON.readTree(query.get("endkey")).asText(), inclusive);
    }
    List<byte[]> rows = new ArrayList<>();
    long skip = Long.parseLong(query.getOrDefault("skip", "0"));
    long limit = Long.parseLong(query.getOrDefault("limit", "" + Long.MAX_VALUE));
    for (Map.Entry<String, byte[]> each : some.entrySet()) {
      if (skip-- <= 0 && limit-- > 0) {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        String id = JSON.writeValueAsString(each.getKey());
        row.writeBytes(bytes("{\"id\":" + id + ",\"key\":" + id + ",\"value\":{\"rev\":\"1-a\"}"));
        if (query.containsKey("include_docs")) {
          row.writeBytes(bytes(",\"doc\":"));
          row.writeBytes(each.getValue());
        }
        row.write('}');
        rows.add(row.toByteArray());
      }
    }
    return array(
        "{\"total_rows\":" + all.size() + ",\"offset\":null,\"rows\":[\r\n", rows, "\r\n]}\n");
  }

  private static byte[] array(String head, List<byte[]> elements, String end) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes(head));
    for (int i = 0; i < elements.size(); i++) {
      out.writeBytes(bytes(i == 0 ? "" : ",\r\n"));
      out.writeBytes(elements.get(i));
    }
    out.writeBytes(bytes(end));
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// A sequence here is a text that only the server understands.
  private static String sequence(int changes) {
    return "9-a+/b=#" + changes;
  }

  private static byte[] changes(Database database, Map<String, String> query) {
    String since = query.getOrDefault("since", "0");
    int last = since.equals("0") ? 0 : Integer.parseInt(since.replaceAll(".*#", ""));
    long limit = Long.parseLong(query.getOrDefault("limit", "" + Long.MAX_VALUE));
    List<byte[]> rows = new ArrayList<>();
    for (Map.Entry<String, Integer> each : database.since(last).stream().limit(limit).toList()) {
      last = each.getValue();
      String seq = "','seq':'" + sequence(last) + "','changes':[{'rev':'1-a'}]}";
      rows.add(json("{'id':'" + each.getKey() + seq));
    }
    return array("{\"results\":[\n", rows, "],\"last_seq\":\"" + sequence(last) + "\"}");
  }

  private static byte[] named(NavigableMap<String, byte[]> all, byte[] request, int given)
      throws IOException {
    List<byte[]> rows = new ArrayList<>();
    for (JsonNode each : JSON.readTree(request).path("docs")) {
      ByteArrayOutputStream row = new ByteArrayOutputStream();
      byte[] document = all.get(each.path("id").asText());
      boolean isGiven = rows.size() < given && document != null;
      String why = document == null ? "not_found" : "internal_fabric_error";
      row.writeBytes(bytes("{\"id\":" + each.path("id") + ",\"docs\":[{"));
      row.writeBytes(bytes(isGiven ? "\"ok\":" : "\"error\":"));
      row.writeBytes(isGiven ? document : json("{'rev':'1-a','reason':'r','error':'" + why + "'}"));
      row.writeBytes(bytes("}]}"));
      rows.add(row.toByteArray());
    }
    return array("{\"results\":[", rows, "]}");
  }

  private static Answer bulk(Database into, byte[] body) throws IOException {
    boolean keeps = !JSON.readTree(body).path("new_edits").asBoolean(true);
    List<byte[]> results = new ArrayList<>();
    for (byte[] document : cut(body)) {
      String id = id(document);
      boolean taken = keeps || !into.documents.containsKey(id);
      if (taken) {
        into.put(id, document);
      }
      if (!keeps || !taken) {
        String result = taken ? "'ok':true,'rev':'1-a'" : "'error':'conflict','reason':'there'";
        results.add(json("{'id':'" + id + "'," + result + "}"));
      }
    }
    return new Answer(201, array("[", results, "]\n"));
  }

  /// The documents of a request byte for byte, as Jackson finds them.
  private static List<byte[]> cut(byte[] body) throws IOException {
    List<byte[]> documents = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(body)) {
      int depth = 0;
      int start = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_OBJECT && ++depth == 2) {
          start = (int) parser.currentTokenLocation().getByteOffset();
        } else if (token == JsonToken.END_OBJECT && depth-- == 2) {
          int end = (int) parser.currentTokenLocation().getByteOffset() + 1;
          documents.add(Arrays.copyOfRange(body, start, end));
        }
      }
    }
    return documents;
  }

  private static String id(byte[] document) {
    try {
      return JSON.readTree(document).path("_id").asText();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    for (String part : raw == null ? new String[0] : raw.split("&", -1)) {
      String[] pair = part.split("=", 2);
      query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
    }
    return query;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
