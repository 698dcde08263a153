package millrace.connectors.couchdb.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateExpiredException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import millrace.connectors.couchdb.json.RowScanner;
import millrace.connectors.json.Json;
import millrace.fault.Fault;
import millrace.fault.Shortened;

/// Sorts what servers and networks answer by who can do something about it.
public final class CouchFaults {

  private static final int SHOWN_MAX = 200;

  private static final String ILLEGAL_NAME = "illegal_database_name";

  /// How CouchDB itself says that something is not there.
  private static final String NOT_FOUND = "not_found";

  private CouchFaults() {}

  /// An answer that is no success.
  ///
  /// @param what we were doing
  public static Fault status(
      CouchClient client, int status, long retryAfterMillis, InputStream body, String what) {
    String reason = reason(body);
    String message =
        client.label() + ": " + what + " was answered with " + status + " (" + reason + ").";
    return switch (status) {
      case 400 ->
          reason.startsWith(ILLEGAL_NAME)
              ? new Fault.User(
                  client.label() + " can't be the name of a database (" + reason + ").",
                  "Name another one in the URL.")
              : new Fault.External(message, "", null);
      case 401 ->
          // Also what a known user may not do, if it takes an admin.
          new Fault.User(
              client.address().server()
                  + " does not let "
                  + (client.address().user().isEmpty()
                      ? "a user without a name"
                      : "user " + client.address().user())
                  + " in, or not for "
                  + what
                  + " ("
                  + reason
                  + ").",
              "Write couchdb://user@host/database, and set COUCHDB_PASSWORD; or ask for the"
                  + " right.");
      case 403 -> new Fault.External(message, "Ask for the right, or use another user.", null);
      case 404 ->
          // So a gateway says that it can't find the server.
          client.hasOpened() && !reason.startsWith(NOT_FOUND)
              ? transientFault(message, retryAfterMillis)
              : client.missing(reason);
      case 408, 429 -> transientFault(message, retryAfterMillis);
      default ->
          status >= 500
              ? transientFault(message, retryAfterMillis)
              : new Fault.External(message, "", null);
    };
  }

  private static Fault.Transient transientFault(String message, long retryAfterMillis) {
    return new Fault.Transient(message, "Try again later.", retryAfterMillis, null);
  }

  /// What the server said, cut short: CouchDB's error and reason, or the text of a proxy.
  public static String reason(InputStream body) {
    byte[] bytes;
    try {
      bytes = body.readNBytes(16 << 10);
    } catch (IOException _) {
      return "and nothing more";
    }
    try {
      JsonNode reply = Json.MAPPER.readTree(bytes);
      if (reply != null && reply.hasNonNull("error")) {
        return shortened(reply.path("error").asText() + ": " + reply.path("reason").asText());
      }
    } catch (IOException _) {
      return shortened(new String(bytes, StandardCharsets.UTF_8));
    }
    return shortened(new String(bytes, StandardCharsets.UTF_8));
  }

  private static String shortened(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return Shortened.value(line, SHOWN_MAX);
  }

  /// Whether a server says by this status that it is too busy, or a gateway that the server behind
  /// it does not answer: then it has been asked several times, see {@link HttpCalls#finish}.
  public static boolean isBusy(int status) {
    return status == 408 || status == 429 || (status >= 502 && status <= 504);
  }

  /// Whether a smaller request may pass if this status was the answer: a server may fail on a large
  /// one, a gateway not wait for it, and a limit of what may be done in a second count what is in
  /// it.
  public static boolean mayBeOfSize(int status) {
    return status == 413 || status >= 500 || isBusy(status);
  }

  /// Whether there was no connection yet, so that nothing was asked of the server.
  public static boolean isUnreached(IOException e) {
    return e instanceof ConnectException
        || e instanceof HttpConnectTimeoutException
        || e instanceof SSLHandshakeException;
  }

  /// A connection that failed.
  public static Fault io(CouchClient client, IOException e) {
    String server = client.address().server();
    String why = why(e);
    if (isUnknownHost(e) && !client.isAnswered()) {
      return new Fault.User("There is no host " + client.address().host() + ".", "Correct it.", e);
    }
    if (e instanceof SSLException && !isLost(e, why)) {
      return tls(server, why, e);
    }
    String advice = advice(client.address(), why, e);
    if (isUnreached(e)) {
      return Fault.Transient.unreachable(server + " can't be reached: " + why + ".", advice, e);
    }
    if (e instanceof HttpTimeoutException) {
      return new Fault.Transient(
          server + " has said nothing for " + client.patience().toSeconds() + " s.",
          "Is it busy, or something before it? --request-timeout lets it take longer.",
          0,
          e);
    }
    String what = e instanceof RowScanner.CutOff ? ": " : ": the connection failed: ";
    return new Fault.Transient(server + what + why + ".", advice, 0, e);
  }

  /// Whether the other side of an encrypted connection went away, and no more than that.
  private static boolean isLost(IOException e, String why) {
    return hasCause(e, EOFException.class)
        || hasCause(e, SocketException.class)
        || hasCause(e, ClosedChannelException.class)
        || why.startsWith("Remote host ")
        || why.contains("close_notify");
  }

  private static Fault tls(String server, String why, IOException e) {
    // The JDK begins with this word, or with "Unsupported or".
    if (why.toLowerCase(Locale.ROOT).contains("unrecognized ssl message")) {
      return new Fault.External(
          server + " does not speak TLS: " + why + ".", "Without TLS it is couchdb://.", e);
    }
    return new Fault.External(server + " can't be trusted: " + why, trustAdvice(why, e), e);
  }

  private static String trustAdvice(String why, IOException e) {
    if (hasCause(e, CertificateExpiredException.class)) {
      return "A certificate has expired, by this machine's clock: it has to be renewed.";
    }
    return why.contains("No subject alternative")
        ? "Write the host as its certificate names it."
        : "Name the file with its authority's certificate: sslrootcert=ca.pem.";
  }

  private static String advice(CouchAddress address, String why, IOException e) {
    if (address.encrypted() && e instanceof HttpConnectTimeoutException) {
      return "Is the server running, and does it speak TLS there? Without TLS it is couchdb://.";
    }
    return !address.encrypted() && why.startsWith("Invalid status line")
        ? "Does it speak TLS there? Then it is couchdbs://."
        : "Is the server running?";
  }

  private static boolean isUnknownHost(IOException e) {
    return hasCause(e, UnresolvedAddressException.class);
  }

  /// What the JDK says, and in its place if it says nothing.
  private static String why(IOException e) {
    if (isUnknownHost(e)) {
      return "there is no such host";
    }
    String message = e.getMessage();
    if (message != null) {
      return message;
    }
    return e instanceof ConnectException ? "no connection was taken" : e.getClass().getSimpleName();
  }

  private static boolean hasCause(Throwable e, Class<? extends Throwable> kind) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        return true;
      }
    }
    return false;
  }
}
