package millrace.connectors.stores.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/// The SDK's client over the JDK's connections, without two of its habits. It hides some breaks of
/// a connection in an exception that the SDK does not try again. And it asks before it sends a
/// body: some stores leave that unanswered for short ones, for which it saves nothing.
///
/// A request that the store turns away is not tried again by the SDK either: whoever asked does
/// that, and counts it.
record S3HttpClient(SdkHttpClient client) implements SdkHttpClient {

  private static final long ASKED_BYTES_MIN = 1 << 20;

  /// Why a request failed: the store limits how many it serves.
  static final class TurnedAwayException extends Exception {
    private static final long serialVersionUID = 1;
  }

  private static HttpExecuteResponse served(HttpExecuteResponse response) throws IOException {
    int status = response.httpResponse().statusCode();
    if (status != 429 && status != 503) {
      return response;
    }
    if (response.responseBody().isPresent()) {
      response.responseBody().get().close();
    }
    throw SdkClientException.create("status " + status, new TurnedAwayException());
  }

  private static HttpExecuteRequest unasked(HttpExecuteRequest request) {
    long bytes =
        request.httpRequest().firstMatchingHeader("Content-Length").map(Long::valueOf).orElse(0L);
    if (bytes >= ASKED_BYTES_MIN) {
      return request;
    }
    HttpExecuteRequest.Builder unasked =
        HttpExecuteRequest.builder()
            .request(request.httpRequest().toBuilder().removeHeader("Expect").build());
    request.contentStreamProvider().ifPresent(unasked::contentStreamProvider);
    request.metricCollector().ifPresent(unasked::metricCollector);
    return unasked.build();
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest prepared = client.prepareRequest(unasked(request));
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        try {
          return served(prepared.call());
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }

      @Override
      public void abort() {
        prepared.abort();
      }
    };
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    client.close();
  }
}
