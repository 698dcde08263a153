package millrace.connectors.stores.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/// The SDK's client over the JDK's connections, without two of its habits. It hides some breaks of
/// a connection in an exception that the SDK does not try again. And it asks before it sends a
/// body, which some stores leave unanswered: the JDK waits for that for 5 seconds.
record S3HttpClient(SdkHttpClient client) implements SdkHttpClient {

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    HttpExecuteRequest.Builder unasked =
        HttpExecuteRequest.builder()
            .request(request.httpRequest().toBuilder().removeHeader("Expect").build());
    request.contentStreamProvider().ifPresent(unasked::contentStreamProvider);
    request.metricCollector().ifPresent(unasked::metricCollector);
    ExecutableHttpRequest prepared = client.prepareRequest(unasked.build());
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        try {
          return prepared.call();
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
