package millrace.connectors.stores.google;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import millrace.connectors.stores.FaultTable;
import millrace.spi.store.StoreException;
import org.jspecify.annotations.Nullable;

/// What the store said, in the words of the contract.
final class GoogleFaults {

  static final String CHANGED = "it was written to since it was looked at";

  private static final FaultTable TABLE =
      new FaultTable(
          """
          REFUSED forbidden,insufficientPermissions: the store does not grant the right %%s there
          REFUSED authError: the store does not accept the login: it has expired or was taken back, or the clock of this machine is wrong
          REFUSED retentionPolicyNotMet,objectUnderActiveHold: the bucket's rules forbid to change or remove it before its time
          FAILED required,userProjectMissing: whoever asks for it pays, and nothing names a project: gcloud auth application-default set-quota-project PROJECT
          FAILED accountDisabled,billingNotEnabled: nobody pays for its project any more
          UNEXPECTED conditionNotMet: %s
          FAILED requestedRangeNotSatisfiable: it ends before the range that was asked for
          LIMITED rateLimitExceeded,userRateLimitExceeded,backendError: the store limits the rate of requests, and did so at the last try, too
          """
              .formatted(CHANGED));

  private static final ObjectMapper JSON = new ObjectMapper();

  private GoogleFaults() {}

  /// What to throw.
  ///
  /// @param right what the user must be allowed to
  /// @param isAnonymous whether it was not told who asks
  static IOException of(
      String location, String right, boolean isAnonymous, int status, byte[] body) {
    if (status == 404) {
      return new NoSuchFileException(location);
    }
    JsonNode error = error(body);
    // Who did not say who they are is told that they need to, and who did, that they are nobody.
    int meant = status == 401 && isAnonymous ? 403 : status;
    String code = status == 401 ? "" : error.path("errors").path(0).path("reason").asText();
    @Nullable IOException known = TABLE.of(location, code, code(meant), right);
    return known == null
        ? new StoreException(
            location,
            "the store answered %d %s"
                .formatted(status, FaultTable.plain(error.path("message").asText()))
                .strip(),
            status == 408 || status >= 500)
        : known;
  }

  private static JsonNode error(byte[] body) {
    try {
      return JSON.readTree(body).path("error");
    } catch (IOException _) {
      // Servers in between answer pages for people: the status says all.
      return JSON.missingNode();
    }
  }

  private static String code(int status) {
    return switch (status) {
      case 401 -> "authError";
      case 403 -> "forbidden";
      case 412 -> "conditionNotMet";
      case 416 -> "requestedRangeNotSatisfiable";
      case 429, 503 -> "rateLimitExceeded";
      default -> "";
    };
  }
}
