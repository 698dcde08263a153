package millrace.connectors.stores.google;

import com.google.auth.Retryable;
import com.google.auth.oauth2.GoogleCredentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Map;
import millrace.connectors.stores.FaultTable;
import millrace.fault.Fault;
import millrace.spi.store.StoreException;

/// Who we are to Google, as its library finds it: by the file of GOOGLE_APPLICATION_CREDENTIALS, by
/// that of `gcloud auth application-default login`, or by the machine of Google that this is. The
/// library gets a token, and another one before it expires.
///
/// Any thread.
final class GoogleLogin {

  private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
  private static final URI AUDIENCE = URI.create("https://storage.googleapis.com/");

  private final GoogleCredentials credentials;

  private GoogleLogin(GoogleCredentials credentials) {
    this.credentials = credentials;
  }

  /// @throws Fault.User if there is none
  static GoogleLogin find(String bucket) {
    try {
      return new GoogleLogin(GoogleCredentials.getApplicationDefault().createScoped(SCOPE));
    } catch (IOException e) {
      String said = FaultTable.plain(e.getMessage());
      throw none(bucket, said.startsWith("Your default credentials were not") ? "." : ": " + said);
    } catch (RuntimeException _) {
      // The library does not expect each file that is none; what it says could repeat the file.
      throw none(bucket, ": the file that should hold it holds something else.");
    }
  }

  private static Fault.User none(String bucket, String why) {
    return new Fault.User(
        "No login for gs://%s/ was found%s".formatted(bucket, why),
        "Log in, let GOOGLE_APPLICATION_CREDENTIALS name a file with a key, or say"
            + " ?anonymous=true for a public bucket:\n"
            + "    gcloud auth application-default login");
  }

  /// What goes with each request; gets a token first if there is none that holds.
  ///
  /// @param location what is asked for
  Map<String, List<String>> headers(String location) throws IOException {
    try {
      return credentials.getRequestMetadata(AUDIENCE);
    } catch (IOException e) {
      throw refused(location, e);
    }
  }

  /// Gets another token, if these headers are still those with which requests go out.
  synchronized void renew(String location, Map<String, List<String>> headers) throws IOException {
    if (headers.equals(headers(location))) {
      try {
        credentials.refresh();
      } catch (IOException e) {
        throw refused(location, e);
      }
    }
  }

  private static IOException refused(String location, IOException e) {
    String reason = "no token is to be had for the login: " + FaultTable.plain(e.getMessage());
    return e instanceof Retryable told && told.isRetryable()
        ? new StoreException(location, reason, true)
        : new AccessDeniedException(location, null, reason);
  }
}
