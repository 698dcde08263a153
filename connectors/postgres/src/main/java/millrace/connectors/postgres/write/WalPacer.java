package millrace.connectors.postgres.write;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has the server write its log (WAL) as rows are copied in, before somebody has to wait for it.
///
/// A COPY takes its pages from a ring of 16 MB (`BAS_BULKWRITE`, src/backend/storage/buffer/README
/// of PostgreSQL). Before a page is used again, the log of its rows has to be on the disk. Whoever
/// finds that it is not waits until it is, mostly under the lock by which the table grows, and so
/// do all other lanes. The server's WAL writer would see to it, but looks only five times a second
/// (`wal_writer_delay`), unless it is woken by a commit that does not wait for the disk
/// (`XLogSetAsyncXactLSN` in src/backend/access/transam/xlog.c). Such a commit, of nothing but a
/// transaction's number, is sent here behind every few megabytes of rows.
///
/// Nothing depends on it: if the server does not go along, it ends without a word. Any thread.
public final class WalPacer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WalPacer.class);

  /// Before so many bytes have gone to the server no page is used again.
  private static final long FIRST_BYTES = 16L << 20;

  /// By turns, half of it took more processor time and saved no more, twice of it saved less.
  private static final long STEP_BYTES = 8L << 20;

  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);

  private static final String NO_WAITING = "SET synchronous_commit = off";
  private static final String NUDGE = "SELECT pg_catalog.txid_current()";

  private final Supplier<Session> connect;
  private final AtomicLong sent = new AtomicLong();
  private final Semaphore due = new Semaphore(0);
  private final AtomicBoolean begun = new AtomicBoolean();
  private final Thread nudger =
      Thread.ofPlatform().name("wal-pacer").daemon().unstarted(this::pace);
  private volatile boolean ended;

  /// @param connect opens a connection aside from the copy's; called once there is enough to do
  public WalPacer(Supplier<Session> connect) {
    this.connect = connect;
  }

  /// So many bytes of rows were sent to the server. Never waits.
  public void sent(int bytes) {
    long now = sent.addAndGet(bytes);
    if (now < FIRST_BYTES || now / STEP_BYTES == (now - bytes) / STEP_BYTES) {
      return;
    }
    if (due.availablePermits() == 0) {
      due.release();
    }
    if (begun.compareAndSet(false, true)) {
      nudger.start();
    }
  }

  private void pace() {
    try (Session aside = connect.get()) {
      aside.within(
          ANSWERS_WITHIN,
          () -> {
            aside.execute(NO_WAITING);
            due.acquireUninterruptibly();
            while (!ended) {
              aside.execute(NUDGE);
              due.acquireUninterruptibly();
            }
          });
    } catch (Fault e) {
      LOG.debug("the server's log is not paced", e);
    }
  }

  /// Waits for the nudge that is under way, if one is. No rows may be sent any more.
  @Override
  public void close() {
    ended = true;
    due.release();
    if (begun.get()) {
      join();
    }
  }

  private void join() {
    try {
      nudger.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
