package millrace.connectors.couchdb.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import millrace.connectors.json.Json;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The requests of one thread, which another thread may cancel.
///
/// A server that asks for patience (429, or 502 to 504) is asked again a few times, after as long
/// as it says; then it is a {@link Fault.Transient}, and the engine waits.
public final class HttpCalls {

  private static final Logger LOG = LoggerFactory.getLogger(HttpCalls.class);

  private static final int TRIES_MAX = 5;
  private static final long FIRST_WAIT_MILLIS = 250;
  private static final long WAIT_MILLIS_MAX = 30_000;

  /// A request under way.
  ///
  /// @param asksFirst whether its body waits until the server says that it will take it
  /// @param what it is for, in messages
  /// @param begunNanos when it was started, as System.nanoTime says
  /// @param answeredNanos when its answer began, whoever waited for it
  public record Pending(
      String method,
      String url,
      byte @Nullable [] body,
      int length,
      boolean asksFirst,
      String what,
      long begunNanos,
      CompletableFuture<HttpResponse<InputStream>> future,
      CompletableFuture<Long> answeredNanos) {

    private void drop() {
      future.cancel(true);
      if (future.state() == Future.State.SUCCESS) {
        try {
          future.resultNow().body().close();
        } catch (IOException e) {
          LOG.debug("an answer that nobody wants could not be closed", e);
        }
      }
    }
  }

  /// An answer, whatever its status; the body must be closed.
  ///
  /// @param isOfSecondTry whether a gateway or the server had failed on the request before, and may
  ///   have carried it out all the same
  /// @param begunNanos when it was asked for, as System.nanoTime says
  /// @param answeredNanos when it began, whoever waited for it
  public record Answer(
      int status,
      long retryAfterMillis,
      InputStream body,
      boolean isOfSecondTry,
      long begunNanos,
      long answeredNanos) {

    /// From the request to where the answer began.
    public long tookNanos() {
      return answeredNanos - begunNanos;
    }
  }

  private final CouchClient client;
  private final CountDownLatch stop = new CountDownLatch(1);

  /// The requests whose answers nobody has taken yet.
  private final Set<Pending> waiting = ConcurrentHashMap.newKeySet();

  private volatile @Nullable InputStream open;

  public HttpCalls(CouchClient client) {
    this.client = client;
  }

  /// Starts a request and does not wait.
  public Pending start(String method, String url, byte @Nullable [] body, int length, String what) {
    return start(method, url, body, length, false, what);
  }

  /// Starts a request and does not wait.
  ///
  /// @param asksFirst whether its body waits until the server says that it will take it
  public Pending start(
      String method,
      String url,
      byte @Nullable [] body,
      int length,
      boolean asksFirst,
      String what) {
    if (stop.getCount() == 0) {
      throw cancelled();
    }
    long begun = System.nanoTime();
    CompletableFuture<HttpResponse<InputStream>> future =
        client.start(method, url, body, length, asksFirst);
    CompletableFuture<Long> answered = future.handle((_, _) -> System.nanoTime());
    Pending pending =
        new Pending(method, url, body, length, asksFirst, what, begun, future, answered);
    waiting.add(pending);
    if (stop.getCount() == 0) {
      drop(pending);
    }
    return pending;
  }

  /// Nobody wants the answer any more.
  public void drop(Pending pending) {
    waiting.remove(pending);
    pending.drop();
  }

  /// Waits for the answer, and asks again if the server wants to be asked later.
  ///
  /// @throws IOException if the connection failed, or the server was silent for too long
  public Answer finish(Pending pending) throws IOException {
    Pending trying = pending;
    boolean loggedInAgain = false;
    boolean maybeDone = false;
    for (int tries = 1; ; tries++) {
      HttpResponse<InputStream> response = await(trying);
      int status = response.statusCode();
      InputStream body = body(response);
      open = body;
      long retryAfter = retryAfterMillis(response);
      boolean knowsUsNoMore =
          status == 401
              && !loggedInAgain
              && client.logOut(response.request().headers().firstValue("Cookie").orElse(""));
      boolean busy = CouchFaults.isBusy(status);
      if (!knowsUsNoMore && (!busy || tries == TRIES_MAX)) {
        if (status < 300 && pending.url().startsWith(client.address().databaseUrl(""))) {
          client.opened();
        }
        long answered = trying.answeredNanos().join();
        return new Answer(status, retryAfter, body, maybeDone, trying.begunNanos(), answered);
      }
      body.close();
      maybeDone |= status >= 500;
      if (busy) {
        pause(Math.max(retryAfter, FIRST_WAIT_MILLIS << tries), status);
      }
      loggedInAgain |= knowsUsNoMore;
      trying =
          start(
              trying.method(),
              trying.url(),
              trying.body(),
              trying.length(),
              trying.asksFirst(),
              trying.what());
    }
  }

  private HttpResponse<InputStream> await(Pending pending) throws IOException {
    String what = client.patienceFor(pending.what(), pending.length());
    try (Waits.One _ = client.waits().begin(what, pending.begunNanos())) {
      return pending.future().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("interrupted while waiting for " + client.address().server());
    } catch (CancellationException _) {
      throw cancelled();
    } catch (ExecutionException e) {
      if (stop.getCount() == 0) {
        throw cancelled();
      }
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error noMemory) {
        throw noMemory;
      }
      throw new Fault.Bug("a request failed in a way that none should", e);
    } finally {
      waiting.remove(pending);
    }
  }

  private static InputStream body(HttpResponse<InputStream> response) throws IOException {
    boolean packed =
        response.headers().firstValue("Content-Encoding").orElse("").equalsIgnoreCase("gzip");
    return packed ? new GZIPInputStream(response.body(), 1 << 16) : response.body();
  }

  private static long retryAfterMillis(HttpResponse<?> response) {
    String seconds = response.headers().firstValue("Retry-After").orElse("");
    return seconds.matches("[0-9]{1,6}") ? Long.parseLong(seconds) * 1000 : 0;
  }

  /// Waits, unless it is cancelled.
  ///
  /// @param status why; 0 if the connection broke
  public void pause(long millis, int status) {
    String why = status == 0 ? "" : " (it answered with " + status + ")";
    String what = client.address().server() + ", to ask again" + why;
    try (Waits.One _ = client.waits().begin(what, System.nanoTime())) {
      if (stop.await(Math.min(millis, WAIT_MILLIS_MAX), TimeUnit.MILLISECONDS)) {
        throw cancelled();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("interrupted while waiting for " + client.address().server());
    }
  }

  /// A request whose answer is a small JSON value.
  ///
  /// @return null if the answer is one of these statuses
  /// @throws Fault for any other failure
  @Nullable
  public JsonNode json(
      String method, String url, byte @Nullable [] body, String what, int... statuses) {
    return json(start(method, url, body, body == null ? 0 : body.length, what), statuses);
  }

  /// The answer, a small JSON value, of a request under way.
  ///
  /// @return null if the answer is one of these statuses
  /// @throws Fault for any other failure
  @Nullable JsonNode json(Pending pending, int... statuses) {
    String what = pending.what();
    try {
      Answer answer = finish(pending);
      try (InputStream in = answer.body()) {
        if (answer.status() < 300) {
          return Json.MAPPER.readTree(in);
        }
        for (int status : statuses) {
          if (answer.status() == status) {
            in.readAllBytes();
            return null;
          }
        }
        throw CouchFaults.status(client, answer.status(), answer.retryAfterMillis(), in, what);
      }
    } catch (IOException e) {
      throw CouchFaults.io(client, e);
    }
  }

  /// Makes a database. What fails in a way that may pass is tried again at once: who looked at the
  /// server anew would take a database that was made all the same for somebody else's.
  ///
  /// @return false if somebody else has made it
  public boolean make(String url, String what) {
    boolean maybeMade = false;
    for (int tries = 1; ; tries++) {
      boolean isLast = tries == TRIES_MAX;
      int status = 0;
      try {
        Answer answer = finish(start("PUT", url, null, 0, what));
        maybeMade |= answer.isOfSecondTry();
        try (InputStream body = answer.body()) {
          status = answer.status();
          if (status < 300 || status == 412) {
            return status < 300 || maybeMade;
          }
          if (status < 500 || isLast) {
            throw CouchFaults.status(client, status, answer.retryAfterMillis(), body, what);
          }
        }
      } catch (IOException e) {
        if (isLast || CouchFaults.isUnreached(e)) {
          throw CouchFaults.io(client, e);
        }
      }
      maybeMade = true;
      pause(FIRST_WAIT_MILLIS << tries, status);
    }
  }

  /// As {@link #json}, if there has to be an answer.
  public JsonNode need(String method, String url, byte @Nullable [] body, String what) {
    return need(start(method, url, body, body == null ? 0 : body.length, what));
  }

  /// As {@link #json}, if there has to be an answer.
  public JsonNode need(Pending pending) {
    JsonNode answer = json(pending);
    if (answer == null) {
      throw new Fault.External(
          client.label() + ": an empty answer while " + pending.what() + ".", "", null);
    }
    return answer;
  }

  /// Ends what is under way and all that comes. From any thread.
  public void cancel() {
    stop.countDown();
    waiting.forEach(this::drop);
    InputStream reading = open;
    if (reading != null) {
      try {
        reading.close();
      } catch (IOException e) {
        throw CouchFaults.io(client, e);
      }
    }
  }

  /// Whether it was cancelled: then a failure is only the echo of that.
  public boolean isCancelled() {
    return stop.getCount() == 0;
  }

  private static Fault.Cancelled cancelled() {
    return new Fault.Cancelled("the request was cancelled");
  }
}
