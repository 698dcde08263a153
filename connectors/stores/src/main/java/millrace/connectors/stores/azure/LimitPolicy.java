package millrace.connectors.stores.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.blob.models.BlobStorageException;
import reactor.core.publisher.Mono;

/// Keeps the SDK from trying a request again that the account turns away: whoever asked does that,
/// and counts it.
final class LimitPolicy implements HttpPipelinePolicy {

  private static HttpResponse served(HttpResponse response) {
    if (!AzureFaults.isTurnedAway(response.getStatusCode())) {
      return response;
    }
    response.close();
    throw new BlobStorageException(
        "the account answered " + response.getStatusCode(), response, null);
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return next.process().map(LimitPolicy::served);
  }

  @Override
  public HttpResponse processSync(
      HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
    return served(next.processSync());
  }
}
