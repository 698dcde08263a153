package millrace.connectors.couchdb.read;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import millrace.connectors.couchdb.Jsonl;
import millrace.connectors.json.Json;
import millrace.fault.Fault;
import millrace.io.UserProgram;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The documents of another feed after a program of the user's: it gets them as JSON Lines and
/// gives JSON Lines, as many and such as it likes. The shell runs it, once for each split; what it
/// says on standard error goes to ours. A line that is no object ends the copy: such a program does
/// something else than it is here for.
///
/// A thread of its own feeds the program while the reader takes what comes back. A program that
/// gives no line at all may end with 1, as grep does if no line fits.
final class FilterFeed implements DocumentFeed {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int NO_LINE_FITS = 1;

  /// How long a program that is to end may take.
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(FilterFeed.class);

  private final DocumentFeed inner;
  private final String command;
  private final Process process;
  private final Thread pump;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private final Set<FilterFeed> open;
  private final StageClock clock;

  /// Whether the thread that feeds the program waits for the next document.
  private boolean awaitsSource = true;

  /// Whether the reader waits for what the program gives. While it does, the thread that feeds the
  /// program tells the reader's clock for which of the two.
  private boolean awaitsProgram;

  private final InputStream answers;
  private byte[] bytes = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private int filled;
  private int after;
  private boolean gave;
  private boolean ended;

  /// Starts the program.
  ///
  /// @param inner is this feed's from now on
  /// @param clock of the thread that reads from it, which waits for the program or for its source
  /// @param open it is among these until it is closed
  FilterFeed(DocumentFeed inner, String command, StageClock clock, Set<FilterFeed> open) {
    this.inner = inner;
    this.clock = clock;
    this.open = open;
    this.command = command;
    try {
      process =
          new ProcessBuilder("sh", "-c", command)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      inner.close();
      throw new Fault.External(
          "The filter can't be started: " + e.getMessage(), "It is run by sh -c.", e);
    }
    answers = process.getInputStream();
    open.add(this);
    pump = Thread.ofPlatform().name("filter").daemon().start(this::feed);
  }

  /// Whether the reader waits for the program, which has what it needs. From any thread.
  synchronized boolean isWaitedFor() {
    return awaitsProgram && !awaitsSource;
  }

  private void feed() {
    try (OutputStream out = new BufferedOutputStream(process.getOutputStream(), BUFFER_BYTES)) {
      byte[] line = new byte[BUFFER_BYTES];
      while (nextDocument()) {
        int size = inner.end() - inner.start() + 1;
        if (line.length < size) {
          line = new byte[Math.max(size, 2 * line.length)];
        }
        out.write(line, 0, Jsonl.put(inner.bytes(), inner.start(), inner.end(), line, 0));
      }
    } catch (IOException e) {
      // A program may have seen enough, as head has: how it ends says whether that is well.
      LOG.debug("the filter takes no more", e);
    } catch (RuntimeException | Error e) {
      failure.set(e);
      destroy();
    }
  }

  private boolean nextDocument() {
    awaitsSource(true);
    boolean there = inner.next();
    awaitsSource(false);
    return there;
  }

  private synchronized void awaitsSource(boolean awaits) {
    awaitsSource = awaits;
    if (awaitsProgram) {
      clock.enter(awaited());
    }
  }

  private synchronized Stage beginWait() {
    awaitsProgram = true;
    return clock.enter(awaited());
  }

  private synchronized void endWait(Stage before) {
    awaitsProgram = false;
    clock.enter(before);
  }

  private Stage awaited() {
    return awaitsSource ? Stage.READ : Stage.FILTER;
  }

  @Override
  public boolean next() {
    int from = Math.min(after, filled);
    int looked = from;
    while (true) {
      int at = lineEnd(looked);
      if (at == filled && !ended) {
        looked = at - from;
        more(from);
        from = 0;
      } else if (at == from && at == filled) {
        checkEnd();
        return false;
      } else {
        start = from;
        end = at;
        after = at + 1;
        gave = true;
        if (end > start) {
          checkLine();
          return true;
        }
        from = Math.min(after, filled);
        looked = from;
      }
    }
  }

  private void checkLine() {
    int from = Json.space(bytes, start, end);
    int after = from < end && bytes[from] == '{' ? Json.value(bytes, from, end) : -1;
    if (after < 0 || Json.space(bytes, after, end) < end) {
      if (ended) {
        // A program that failed, or was not fed to the end, has broken off: that is what is wrong.
        checkEnd();
      }
      throw new Fault.User(
          "The filter gave a line that is no JSON object: " + Json.shown(bytes, start, end),
          "It gets a document a line, and is to give one a line: " + command);
    }
  }

  private int lineEnd(int from) {
    int at = from;
    while (at < filled && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  /// Reads more behind what is left of the buffer from there on, which moves to its beginning.
  private void more(int from) {
    System.arraycopy(bytes, from, bytes, 0, filled - from);
    filled -= from;
    if (filled == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    Stage before = beginWait();
    try {
      int count = answers.read(bytes, filled, bytes.length - filled);
      ended = count < 0;
      filled += Math.max(0, count);
    } catch (IOException e) {
      throw new Fault.External("The filter can't be read: " + e.getMessage(), "", e);
    } finally {
      endWait(before);
    }
  }

  /// The program has said all that it had to say: whether it, and what fed it, ended well.
  private void checkEnd() {
    Stage before = beginWait();
    try {
      int code = process.waitFor();
      pump.join();
      if (cancelled.get()) {
        throw new Fault.Cancelled("the filter was ended");
      }
      switch (failure.get()) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new Fault.Bug("the filter was not fed", e);
      }
      if (code != 0 && (gave || code != NO_LINE_FITS)) {
        throw new Fault.User(
            "The filter ended with exit code " + code + ": " + command,
            "Try it by itself on some lines of JSON.");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("the filter was interrupted");
    } finally {
      endWait(before);
    }
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int start() {
    return start;
  }

  @Override
  public int end() {
    return end;
  }

  /// Ends the program, so that nobody waits for it any more.
  @Override
  public void cancel() {
    cancelled.set(true);
    destroy();
  }

  /// What the shell has started holds on to the pipes as well.
  private void destroy() {
    UserProgram.end(process, GRACE);
  }

  /// Ends the program if it has not ended by itself.
  @Override
  public void close() {
    open.remove(this);
    destroy();
    try {
      pump.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    inner.close();
  }
}
