package millrace.connectors.stores;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;
import millrace.spi.store.StoreException;

/// Requests by the JDK's own client. What keeps them from an answer is told as the contract of
/// stores says.
public final class HttpRequests {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  private HttpRequests() {}

  /// A client to begin with.
  public static HttpClient.Builder client() {
    return HttpClient.newBuilder()
        .connectTimeout(CONNECT_TIMEOUT)
        .followRedirects(HttpClient.Redirect.NORMAL);
  }

  /// Sends a request, and waits for the beginning of its answer.
  ///
  /// @param location what it is about, as a user would name it
  /// @return whose body the caller closes
  public static HttpResponse<InputStream> send(
      HttpClient client, HttpRequest request, String location) throws IOException {
    try {
      return client.send(request, BodyHandlers.ofInputStream());
    } catch (HttpTimeoutException e) {
      throw failed(location, "the server does not answer", true, e);
    } catch (SSLException e) {
      throw failed(location, "TLS: " + e.getMessage(), false, e);
    } catch (ConnectException e) {
      throw e.getCause() instanceof UnresolvedAddressException
          ? failed(location, "there is no host of that name", false, e)
          : failed(location, "the server can't be reached", true, e);
    } catch (IOException e) {
      throw broken(location, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /// That a connection broke before all of its answer was there.
  public static StoreException broken(String location, IOException cause) {
    return failed(location, "the connection broke: " + cause.getMessage(), true, cause);
  }

  /// That a thread was interrupted, which its owner still has to see.
  public static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException("interrupted");
    interrupted.initCause(cause);
    return interrupted;
  }

  private static StoreException failed(
      String location, String reason, boolean isTransient, IOException cause) {
    StoreException failed = new StoreException(location, reason, isTransient);
    failed.initCause(cause);
    return failed;
  }

  /// Any text as a part of a URL.
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
