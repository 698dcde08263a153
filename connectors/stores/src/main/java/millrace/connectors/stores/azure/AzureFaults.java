package millrace.connectors.stores.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import millrace.connectors.stores.FaultTable;
import millrace.spi.store.StoreException;
import org.jspecify.annotations.Nullable;

/// What the account or the SDK said, in the words of the contract. The SDK has tried again by then,
/// unless {@link LimitPolicy} kept it from that.
final class AzureFaults {

  /// Each line: what becomes of it, Azure's codes, and what to tell, where %s is the right needed.
  private static final FaultTable TABLE =
      new FaultTable(
          """
          REFUSED AuthorizationFailure,AuthorizationPermissionMismatch,AuthorizationResourceTypeMismatch,AuthorizationServiceMismatch,InsufficientAccountPermissions,UnauthorizedBlobOverwrite: the account does not grant the right to %s there
          REFUSED AuthenticationFailed,InvalidAuthenticationInfo: the account does not accept the key, SAS token or login: it is another one's, has expired, or the clock of this machine is wrong
          REFUSED NoAuthenticationInformation,PublicAccessNotPermitted: the account wants to know who asks
          REFUSED ResourceNotFound: there is no such container, or it is not public
          FAILED ContainerNotFound: the account has no such container
          FAILED ContainerBeingDeleted: the container is being removed
          FAILED InvalidResourceName,InvalidUri,OutOfRangeInput: Azure takes no such name
          FAILED InvalidBlockList: this upload is no more: it was completed or aborted elsewhere
          FAILED InvalidBlobOrBlock: blocks of another program wait there to be committed: Azure drops them after a week
          UNEXPECTED BlobAlreadyExists: it is there already
          UNEXPECTED ConditionNotMet: it was written to since it was looked at
          FAILED InvalidRange: it ends before the range that was asked for
          FAILED BlobArchived,BlobBeingRehydrated: it lies in the archive tier: it must be rehydrated first
          FAILED InvalidBlobType: it is an append blob or a page blob, and those are only read
          FAILED LeaseIdMissing: somebody holds a lease of it
          FAILED BlobImmutableDueToPolicy: a policy of the container forbids to change it
          FAILED SnapshotsPresent: it has snapshots, which would be lost
          FAILED RequestBodyTooLarge,BlockCountExceedsLimit,BlockListTooLong: Azure takes no blob that large
          PASSING ServerBusy,OperationTimedOut: the account limits the rate of requests, and did so at the last try, too
          """);

  private AzureFaults() {}

  /// What to throw, if the failure comes from outside.
  static IOException of(String location, String right, RuntimeException e) {
    if (e instanceof BlobStorageException said) {
      return refused(location, right, said);
    }
    for (@Nullable Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof InterruptedException || at instanceof InterruptedIOException) {
        // Which the thread's owner still has to see.
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while " + location + " was asked for");
      }
      if (at instanceof ClientAuthenticationException) {
        return new AccessDeniedException(
            location, null, "no login of Azure is to be had: " + FaultTable.plain(at.getMessage()));
      }
      if (at instanceof IOException || at instanceof TimeoutException) {
        return new StoreException(location, unanswered(at), !(at instanceof SSLException));
      }
    }
    throw e;
  }

  private static String unanswered(Throwable at) {
    return switch (at) {
      case HttpTimeoutException _, TimeoutException _ -> "the store did not answer in time";
      case ConnectException e ->
          e.getCause() instanceof UnresolvedAddressException
              ? "there is no host of that name: is the account's name right?"
              : "the store can't be reached";
      case UnknownHostException _ -> "there is no host of that name: is the account's name right?";
      case SSLException _ ->
          "no secure connection can be made: " + FaultTable.plain(at.getMessage());
      default -> "the connection to the store was lost: " + FaultTable.plain(at.getMessage());
    };
  }

  private static IOException refused(String location, String right, BlobStorageException said) {
    String code = code(said);
    int status = said.getStatusCode();
    if (code.equals("BlobNotFound") || (code.isEmpty() && status == 404)) {
      return new NoSuchFileException(location);
    }
    @Nullable IOException known = TABLE.of(location, code, code(status), right);
    if (known == null) {
      return new StoreException(
          location, ("the store answered " + status + " " + code).strip(), status >= 500);
    }
    return isTurnedAway(status) && known instanceof StoreException told
        ? StoreException.turnedAway(location, told.getReason())
        : known;
  }

  /// Whether the account limits how many requests it serves, and this was one too many.
  static boolean isTurnedAway(int status) {
    return status == 429 || status == 503;
  }

  /// Servers in between give no code.
  private static String code(int status) {
    return switch (status) {
      case 401 -> "NoAuthenticationInformation";
      case 403 -> "AuthorizationFailure";
      case 412 -> "ConditionNotMet";
      case 416 -> "InvalidRange";
      case 429, 503 -> "ServerBusy";
      default -> "";
    };
  }

  private static String code(BlobStorageException said) {
    @Nullable BlobErrorCode code = said.getErrorCode();
    return code == null ? "" : code.toString();
  }
}
