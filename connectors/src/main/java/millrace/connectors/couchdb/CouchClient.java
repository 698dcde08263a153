package millrace.connectors.couchdb;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// One server's HTTP client with what every request of an endpoint needs: address, credentials,
/// trust, patience. All threads of an endpoint share it, and so its few connections.
final class CouchClient implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final CouchAddress address;
  private final String label;
  private final HttpClient http;
  private final Duration patience;
  private final boolean gzip;
  private final boolean usesCookie;
  private @Nullable String cookie;

  /// Opens no connection yet.
  ///
  /// @throws Fault.User where an option is wrong
  CouchClient(CouchAddress address, Endpoint endpoint) {
    this.address = address;
    label = endpoint.label();
    patience = Duration.ofSeconds(endpoint.size("request-timeout", PATIENCE_SECONDS));
    gzip = endpoint.flag("gzip", false);
    usesCookie = usesCookie(endpoint);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(patience);
    if (address.encrypted()) {
      endpoint.text("sslrootcert").ifPresent(file -> builder.sslContext(trusting(file)));
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
    } catch (IOException | GeneralSecurityException e) {
      throw new Fault.User(
          "The certificates in " + file + " can't be read: " + e.getMessage(),
          "Name a PEM file with sslrootcert.",
          e);
    }
  }

  CouchAddress address() {
    return address;
  }

  /// How the endpoint is named in messages.
  String label() {
    return label;
  }

  /// How long a server may be silent.
  Duration patience() {
    return patience;
  }

  /// Starts a request; its body's stream gives up by itself when nothing arrives for too long.
  ///
  /// @param body JSON, which must not change until the answer is there; null for none
  CompletableFuture<HttpResponse<InputStream>> start(
      String method, String url, byte @Nullable [] body, int length) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(patience)
            .header("Accept", "application/json");
    if (gzip) {
      request.header("Accept-Encoding", "gzip");
    }
    credentials(request);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      if (gzip) {
        request.header("Content-Encoding", "gzip");
        request.method(method, BodyPublishers.ofByteArray(Gzip.packed(body, length)));
      } else {
        request.method(method, BodyPublishers.ofByteArray(body, 0, length));
      }
    }
    return http.sendAsync(request.build(), _ -> new Body(patience));
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
    String known = cookie;
    if (known == null) {
      known = logIn(String.valueOf(address.password().reveal()));
      cookie = known;
    }
    return known;
  }

  /// Forgets a cookie that the server does not know any more; whether there was one to forget.
  ///
  /// @param used the cookie that was refused
  synchronized boolean logOut(String used) {
    if (!usesCookie || used.isEmpty()) {
      return false;
    }
    if (used.equals(cookie)) {
      cookie = null;
    }
    return true;
  }

  private String logIn(String password) {
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
      HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw CouchFaults.status(
            this, answer.statusCode(), 0, new ByteArrayInputStream(answer.body()), "logging in");
      }
      List<String> given = answer.headers().allValues("Set-Cookie");
      return given.stream()
          .map(each -> each.split(";", 2)[0])
          .filter(each -> each.startsWith("AuthSession="))
          .findFirst()
          .orElseThrow(
              () -> new Fault.External(address.server() + " gives no session cookie.", "", null));
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
