package millrace.job;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.job.file.JobDescription;
import millrace.job.file.JobHook;
import millrace.job.file.StreamSetting;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.StatementRunner;

/// Runs the SQL of a hook. One thread a call.
final class QueryHook {

  private final HookRunner hooks;
  private final JobDescription job;
  private final JobContext context;

  QueryHook(HookRunner hooks, JobDescription job, JobContext context) {
    this.hooks = hooks;
    this.job = job;
    this.context = context;
  }

  /// Runs it.
  ///
  /// @throws Fault.External if a statement fails
  void run(String when, JobHook hook, JobHook.Query query) {
    Endpoint end = end(hook, query.connection());
    Connector connector = context.connectors().of(end);
    if (!(connector instanceof StatementRunner runner)) {
      throw job.at(
          hook.line(),
          end.label() + " understands no SQL.",
          "Name another connection:, or write a command:.");
    }
    OpenContext statement = new OpenContext();
    hooks.begins(statement);
    CompletableFuture<Void> limit = limit(hook.timeout(), statement);
    try {
      runner.run(end, query.statements(), statement);
    } catch (Fault.Cancelled e) {
      throw hooks.failed(
          when, hook, "did not end within " + hook.timeout().toSeconds() + " s.", "", e);
    } catch (Fault e) {
      throw hooks.failed(when, hook, "failed: " + e.getMessage(), e.advice(), e);
    } finally {
      limit.cancel(false);
      hooks.ended(statement);
    }
  }

  private Endpoint end(JobHook hook, String connection) {
    StreamSetting named =
        switch (connection) {
          case "source" -> job.source();
          case "target" -> job.target();
          default -> new StreamSetting("connection", connection, hook.line());
        };
    if (named == null) {
      throw job.at(
          hook.line(),
          "the hook's SQL goes to the " + connection + ", and the job names none.",
          "Write connection: NAME, or a URL.");
    }
    Endpoints endpoints = context.endpoints();
    String value = named.value();
    // A table has to be named behind a connection, and means nothing here.
    return endpoints.parse(endpoints.hasConnection(value) ? value + ":hooks" : value);
  }

  /// Stops a statement that takes too long, unless it is cancelled first.
  private static CompletableFuture<Void> limit(Duration most, OpenContext statement) {
    return most.isZero()
        ? new CompletableFuture<>()
        : CompletableFuture.runAsync(
            statement::cancel,
            CompletableFuture.delayedExecutor(most.toMillis(), TimeUnit.MILLISECONDS));
  }
}
