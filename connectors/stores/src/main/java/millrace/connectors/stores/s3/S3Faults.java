package millrace.connectors.stores.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import javax.net.ssl.SSLException;
import millrace.connectors.stores.FaultTable;
import millrace.spi.store.StoreException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// What the store or the SDK said, in the words of the contract. The SDK has tried again by then,
/// unless the store limits how many requests it serves.
final class S3Faults {

  static final String CHANGED = "it was written to since it was looked at";

  private static final String DENIED = "the store does not grant the right %2$s there";
  private static final String LIMITED =
      "the store limits the rate of requests, and did so at the last try, too";
  private static final String ELSEWHERE =
      "bucket %1$s is in another region: say in which one with ?region=";

  /// In a reason `%1$s` is the bucket, `%2$s` the right that was needed.
  private static final FaultTable TABLE =
      new FaultTable(
          """
          REFUSED AccessDenied,AccountProblem,AllAccessDisabled: %s
          REFUSED InvalidAccessKeyId,XAdminUserNotFound: the store does not know that access key
          REFUSED SignatureDoesNotMatch: the secret key does not belong to that access key
          REFUSED ExpiredToken,ExpiredTokenException,TokenRefreshRequired: the session token has expired: log in again
          REFUSED InvalidToken,InvalidClientTokenId: the store does not accept the session token
          REFUSED RequestTimeTooSkewed,RequestExpired: the clocks of this machine and of the store differ: set this one
          FAILED NoSuchBucket: the store has no bucket called %%1$s
          FAILED InvalidBucketName: %%1$s can't be the name of a bucket
          FAILED NoSuchUpload: this upload is no more: it was completed or aborted elsewhere
          FAILED PreconditionFailed: %s
          PASSING ConditionalRequestConflict: somebody else is writing it at the same time
          FAILED InvalidRange: it ends before the range that was asked for
          FAILED InvalidObjectState: it lies in an archive: it must be restored first
          FAILED EntityTooLarge: the store takes no object that large
          FAILED EntityTooSmall: a part that is not the last is below 5 MiB
          FAILED KeyTooLongError,KeyTooLong: its name is too long
          FAILED NotImplemented: the store does not offer what it needs
          FAILED QuotaExceeded: the store's quota is used up
          PASSING SlowDown,ServiceUnavailable,TooManyRequests,Throttling,ThrottlingException,RequestLimitExceeded: %s
          FAILED PermanentRedirect,TemporaryRedirect,AuthorizationHeaderMalformed,IllegalLocationConstraintException: %s
          """
              .formatted(DENIED, CHANGED, LIMITED, ELSEWHERE));

  private S3Faults() {}

  static IOException of(S3Bucket bucket, String right, String key, SdkException e) {
    String location = bucket.location(key);
    if (e instanceof AbortedException) {
      // The thread was interrupted, which its owner still has to see.
      Thread.currentThread().interrupt();
      return new InterruptedIOException("interrupted while " + location + " was asked for");
    }
    if (!(e instanceof AwsServiceException said)) {
      return unanswered(location, e);
    }
    String code = code(said);
    if (code.equals("NoSuchKey") || (code.isEmpty() && said.statusCode() == 404)) {
      return new NoSuchFileException(location);
    }
    @Nullable IOException known =
        TABLE.of(location, code, code(said.statusCode()), bucket.name(), right);
    return known == null ? unknown(location, code, said) : known;
  }

  /// Whether what is there was not what the request expected.
  static boolean isUnexpected(SdkException e) {
    return e instanceof S3Exception said
        && (said.statusCode() == 412 || code(said).equals("NoSuchKey"));
  }

  /// An answer to HEAD has no body, so its status says all.
  private static String code(int status) {
    return switch (status) {
      case 301, 307 -> "PermanentRedirect";
      case 401, 403 -> "AccessDenied";
      case 412 -> "PreconditionFailed";
      case 429, 503 -> "SlowDown";
      default -> "";
    };
  }

  private static IOException unknown(String location, String code, AwsServiceException said) {
    @Nullable AwsErrorDetails details = said.awsErrorDetails();
    String words = details == null ? "" : plain(details.errorMessage());
    return new StoreException(
        location,
        "the store answered %d %s %s".formatted(said.statusCode(), code, words).strip(),
        said.statusCode() >= 500);
  }

  /// The store was not reached, turned the request away, or went away, or the SDK had no
  /// credentials any more.
  private static IOException unanswered(String location, SdkException e) {
    for (@Nullable Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof S3HttpClient.TurnedAwayException) {
        return StoreException.turnedAway(location, LIMITED);
      }
      @Nullable String reason =
          switch (at) {
            case UnknownHostException _ ->
                "the name of its host is unknown (%s); if it is right, ?path-style=true may help"
                    .formatted(at.getMessage());
            case ConnectException _ -> "the store can't be reached: " + plain(at.getMessage());
            case SocketTimeoutException _ -> "the store did not answer in time";
            case SSLException _ ->
                "no secure connection to the store can be made: " + plain(at.getMessage());
            case IOException _ -> "the connection to the store was lost: " + plain(at.getMessage());
            default -> null;
          };
      if (reason != null) {
        return new StoreException(location, reason, !(at instanceof SSLException));
      }
    }
    String words = plain(e.getMessage());
    if (words.contains("credentials")) {
      return new AccessDeniedException(location, null, "the credentials are no more: " + words);
    }
    return new StoreException(location, words, e.retryable());
  }

  /// The code of an error, empty if the store gave none.
  static String code(SdkException e) {
    @Nullable AwsErrorDetails details =
        e instanceof S3Exception said ? said.awsErrorDetails() : null;
    @Nullable String code = details == null ? null : details.errorCode();
    return code == null ? "" : code;
  }

  /// The SDK's words in one line, without its own request's name.
  static String plain(@Nullable String words) {
    return FaultTable.plain(words).replaceAll("\\(Service: .*", "").strip();
  }
}
