package millrace.connectors.couchdb.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import millrace.connectors.json.Json;
import millrace.fault.Fault;
import millrace.io.Wire;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// One server's HTTP client with what every request of an endpoint needs: address, credentials,
/// trust, patience. All threads of an endpoint share it, and so its few connections.
public final class CouchClient implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// The shortest there is, with the empty line behind the headers.
  private static final int STATUS_LINE_BYTES = "HTTP/1.1 200 OK\r\n\r\n".length();

  private static final Duration ASIDE_PATIENCE = Duration.ofSeconds(5);

  private final CouchAddress address;
  private final Endpoint endpoint;
  private final String label;
  private final Wire wire = new Wire();
  private final Waits waits = new Waits();
  private final HttpClient http;
  private final Duration patience;
  private final boolean gzip;
  private final boolean usesCookie;
  private @Nullable LoginCookie loginCookie;
  private volatile boolean answered;
  private volatile boolean opened;
  private volatile boolean gone;

  /// Opens no connection yet.
  ///
  /// @throws Fault.User if an option is wrong
  public CouchClient(CouchAddress address, Endpoint endpoint) {
    this(address, endpoint, endpoint.time("request-timeout", PATIENCE));
  }

  private CouchClient(CouchAddress address, Endpoint endpoint, Duration patience) {
    this.address = address;
    this.endpoint = endpoint;
    this.patience = patience;
    label = endpoint.label();
    gzip = endpoint.flag("gzip", false);
    usesCookie = usesCookie(endpoint);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(patience);
    if (address.encrypted()) {
      endpoint.text("sslrootcert").ifPresent(file -> builder.sslContext(trusting(file)));
    } else {
      builder.sslContext(trustingNobody());
    }
    http = builder.build();
  }

  private static boolean usesCookie(Endpoint endpoint) {
    String auth = endpoint.text("auth").orElse("basic");
    return switch (auth) {
      case "basic" -> false;
      case "cookie" -> true;
      default ->
          throw new Fault.User(
              "There is no auth=" + auth + " (" + endpoint.label() + ").",
              "It can be basic or cookie.");
    };
  }

  /// For a client that never encrypts: the JDK would read all certificates that the system trusts.
  private static SSLContext trustingNobody() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new Fault.Bug("this JDK has no TLS", e);
    }
  }

  private static SSLContext trusting(String file) {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("ca" + number++, each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (NoSuchFileException e) {
      throw new Fault.User(
          "There is no file " + file + ".", "Name a PEM file with sslrootcert.", e);
    } catch (IOException | GeneralSecurityException e) {
      throw new Fault.User(
          "The certificates in " + file + " can't be read: " + e.getMessage(),
          "Name a PEM file with sslrootcert.",
          e);
    }
  }

  /// A client of the same server whose connections are counted apart, with little patience.
  CouchClient aside() {
    return new CouchClient(address, endpoint, ASIDE_PATIENCE);
  }

  /// Counts what crosses the connections, message by message: the JDK hides its sockets.
  Wire wire() {
    return wire;
  }

  /// What the threads that use it wait for.
  public Waits waits() {
    return waits;
  }

  /// How long the server may be silent.
  Duration patience() {
    return patience;
  }

  /// How long it waits for an answer, in words, and for which.
  ///
  /// @param what is being done, such as reading documents
  /// @param bytes of the request; 0 if it has no body
  String patienceFor(String what, int bytes) {
    String size = bytes == 0 ? "" : ", " + Math.ceilDiv(bytes, 1000) + " kB";
    return address.server()
        + " to answer a request ("
        + what
        + size
        + "), for at most "
        + patience.toSeconds()
        + " s";
  }

  public CouchAddress address() {
    return address;
  }

  /// Whether the server has answered already, so that there is one of that name.
  boolean isAnswered() {
    return answered;
  }

  /// The database has answered a request, so that it is there.
  void opened() {
    opened = true;
  }

  /// Whether the database has been there.
  boolean hasOpened() {
    return opened;
  }

  /// The database is not there: never was, or not any more.
  ///
  /// @param reason what the server says of it
  Fault missing(String reason) {
    gone = opened;
    return gone
        ? new Fault.External(
            label + " is gone: somebody has deleted the database meanwhile (" + reason + ").",
            "Copy again when nobody deletes it.",
            null)
        : new Fault.User(
            label + ": there is no such database (" + reason + ").", "Correct its name.");
  }

  /// Whether the database was there and is not any more, be there another of its name by now.
  public boolean isGone() {
    return gone;
  }

  /// How the endpoint is named in messages.
  public String label() {
    return label;
  }

  /// Starts a request; its body's stream gives up by itself when nothing arrives for too long.
  ///
  /// @param body JSON, which must not change until the answer is there; null for none
  /// @param asksFirst whether the body waits until the server says that it will take it
  public CompletableFuture<HttpResponse<InputStream>> start(
      String method, String url, byte @Nullable [] body, int length, boolean asksFirst) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(patience)
            .expectContinue(asksFirst)
            .header("Accept", "application/json");
    if (gzip) {
      request.header("Accept-Encoding", "gzip");
    }
    credentials(request);
    if (body == null) {
      return send(request.method(method, BodyPublishers.noBody()).build(), 0);
    }
    request.header("Content-Type", "application/json");
    byte[] bytes = body;
    int size = length;
    if (gzip) {
      request.header("Content-Encoding", "gzip");
      bytes = Gzip.packed(body, length);
      size = bytes.length;
    }
    SlicedBodyPublisher pieces = new SlicedBodyPublisher(bytes, size);
    CompletableFuture<HttpResponse<InputStream>> answer =
        send(request.method(method, pieces).build(), size);
    CompletableFuture<?> _ = answer.whenComplete((_, _) -> pieces.letGo());
    return answer;
  }

  private CompletableFuture<HttpResponse<InputStream>> send(HttpRequest request, int bodyLength) {
    wire.called();
    wire.messageSent(head(request) + bodyLength);
    long begun = System.nanoTime();
    return http.sendAsync(request, answer -> body(answer, System.nanoTime() - begun));
  }

  private Body body(ResponseInfo answer, long nanos) {
    answered = true;
    wire.answered(nanos);
    wire.answerReceived(STATUS_LINE_BYTES + length(answer.headers()));
    return new Body(patience, wire, waits, address.server());
  }

  /// How many bytes the head of a request has, but for the headers that the JDK adds.
  private static long head(HttpRequest request) {
    String path = request.uri().getRawPath();
    String query = request.uri().getRawQuery();
    return request.method().length()
        + 1
        + path.length()
        + (query == null ? 0 : 1 + query.length())
        + " HTTP/1.1\r\n\r\n".length()
        + length(request.headers());
  }

  private static long length(HttpHeaders headers) {
    long length = 0;
    for (Map.Entry<String, List<String>> each : headers.map().entrySet()) {
      for (String value : each.getValue()) {
        length += each.getKey().length() + ": \r\n".length() + value.length();
      }
    }
    return length;
  }

  private void credentials(HttpRequest.Builder request) {
    String password = address.password().reveal();
    if (address.user().isEmpty() || password == null) {
      return;
    }
    if (usesCookie) {
      request.header("Cookie", cookie());
      return;
    }
    byte[] both = (address.user() + ":" + password).getBytes(StandardCharsets.UTF_8);
    request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
  }

  private synchronized String cookie() {
    LoginCookie known = loginCookie;
    if (known == null || known.isOld(System.nanoTime())) {
      known = logIn(String.valueOf(address.password().reveal()));
      loginCookie = known;
    }
    return known.cookie();
  }

  /// Forgets a cookie that the server does not know any more; whether there was one to forget.
  ///
  /// @param used the cookie that was refused
  synchronized boolean logOut(String used) {
    if (!usesCookie || used.isEmpty()) {
      return false;
    }
    if (loginCookie != null && used.equals(loginCookie.cookie())) {
      loginCookie = null;
    }
    return true;
  }

  private LoginCookie logIn(String password) {
    byte[] body =
        Json.object("name", Json.quoted(address.user()), "password", Json.quoted(password));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address.url("_session")))
            .timeout(patience)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    try {
      wire.called();
      wire.messageSent(head(request) + body.length);
      long sentNanos = System.nanoTime();
      HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
      wire.answered(System.nanoTime() - sentNanos);
      wire.answerReceived(STATUS_LINE_BYTES + length(answer.headers()) + answer.body().length);
      if (answer.statusCode() != 200) {
        throw CouchFaults.status(
            this, answer.statusCode(), 0, new ByteArrayInputStream(answer.body()), "logging in");
      }
      LoginCookie begun = LoginCookie.of(answer.headers(), System.nanoTime());
      if (begun == null) {
        throw new Fault.External(address.server() + " gives no session cookie.", "", null);
      }
      return begun;
    } catch (IOException e) {
      throw CouchFaults.io(this, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("interrupted while logging in");
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
