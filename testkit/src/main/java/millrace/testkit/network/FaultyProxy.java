package millrace.testkit.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Stands between a client and a server on the loopback interface, and harms connections as it is
/// told: each is asked about when it comes, by its number from 0.
///
/// Any thread may call it. Closing it ends all connections.
public final class FaultyProxy implements AutoCloseable {

  private static final int PIECE_BYTES = 64 << 10;

  private final ServerSocket listener;
  private final InetSocketAddress server;
  private final IntFunction<ConnectionFault> faults;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger harmed = new AtomicInteger();
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicReference<@Nullable Due> due = new AtomicReference<>();
  private final AtomicReference<@Nullable Due> dueAnswer = new AtomicReference<>();
  private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
  private final AtomicReference<@Nullable Loss> leaving = new AtomicReference<>();
  private volatile boolean refusing;
  private volatile boolean silent;

  /// What is to be done once so many bytes, or answers, have passed.
  private record Due(long count, Runnable work) {}

  /// What is to be lost: so many pieces that have these bytes, after so many others that have them.
  ///
  /// @param byRequest whether the bytes are the client's, and what the server sends next is lost
  private record Loss(byte[] mark, boolean byRequest, AtomicInteger before, int times) {

    boolean isOf(byte[] piece, int length) {
      if (indexOf(mark, piece, length) < 0) {
        return false;
      }
      int left = before.getAndDecrement();
      return left <= 0 && left > -times;
    }

    private static int indexOf(byte[] mark, byte[] piece, int length) {
      for (int at = 0; at <= length - mark.length; at++) {
        if (Arrays.equals(piece, at, at + mark.length, mark, 0, mark.length)) {
          return at;
        }
      }
      return -1;
    }
  }

  /// Begins to listen on a free port.
  ///
  /// @param faults what becomes of each connection
  public FaultyProxy(String serverHost, int serverPort, IntFunction<ConnectionFault> faults) {
    server = new InetSocketAddress(serverHost, serverPort);
    this.faults = faults;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no port for the proxy", e);
    }
    Thread.ofPlatform().name("faulty-proxy").daemon().start(this::accept);
  }

  /// Where clients connect to.
  public int port() {
    return listener.getLocalPort();
  }

  /// How many connections came so far.
  public int accepted() {
    return accepted.get();
  }

  /// How many of them were harmed so far; a delay counts as soon as it begins.
  public int harmed() {
    return harmed.get();
  }

  /// How many bytes have passed so far, on all connections and both ways.
  public long passed() {
    return passed.get();
  }

  /// Once so many bytes more have passed, does that work, once, before anything else passes on the
  /// connection that would carry them; in the place of what was to be done so far.
  public void after(long bytes, Runnable work) {
    due.set(new Due(passed.get() + bytes, work));
  }

  /// How many pieces the servers' answers came in so far.
  public long answers() {
    return answers.get();
  }

  /// Once so many more have come, does that work, once, before the last of them passes: what was
  /// asked for has been done.
  public void afterAnswers(long more, Runnable work) {
    dueAnswer.set(new Due(answers.get() + more, work));
  }

  /// What was to be done after so many bytes or answers is not to be done any more.
  ///
  /// @return false if it has been done, or is being done
  public boolean disarm() {
    dueAnswer.set(null);
    return due.getAndSet(null) != null;
  }

  /// Loses some of the server's answers, with their connections: what was asked for has been done,
  /// and the client is not told.
  ///
  /// @param mark bytes that such an answer has, in the piece that the server sends it in
  /// @param before how many of them arrive first
  /// @param times how many are lost then
  public void loseAnswers(byte[] mark, int before, int times) {
    loss.set(new Loss(mark.clone(), false, new AtomicInteger(before), times));
  }

  /// The same for answers that look like others: they are known by what they answer.
  ///
  /// @param mark bytes that such a request has, in the piece that the client sends it in
  public void loseAnswersTo(byte[] mark, int before, int times) {
    loss.set(new Loss(mark.clone(), true, new AtomicInteger(before), times));
  }

  /// How many more of the answers to lose arrive first.
  public int answersBeforeLoss() {
    Loss next = loss.get();
    return next == null ? 0 : next.before().get();
  }

  /// No answers are to be lost any more.
  ///
  /// @return whether all of them were
  public boolean hasLostAnswers() {
    Loss last = loss.getAndSet(null);
    return last != null && last.before().get() <= -last.times();
  }

  /// Loses a client that has asked for something: the server gets the message and does it, and the
  /// client sees its connection reset meanwhile.
  ///
  /// @param mark bytes that such a message has, in the piece that the client sends it in
  public void loseClientAfter(byte[] mark) {
    leaving.set(new Loss(mark.clone(), true, new AtomicInteger(), 1));
  }

  private static boolean isOf(AtomicReference<@Nullable Loss> due, byte[] piece, int length) {
    Loss next = due.get();
    return next != null && next.isOf(piece, length);
  }

  private void pass(int bytes, boolean answers) {
    doIf(passed.addAndGet(bytes), due);
    if (answers) {
      doIf(this.answers.incrementAndGet(), dueAnswer);
    }
  }

  private static void doIf(long count, AtomicReference<@Nullable Due> due) {
    Due next = due.get();
    if (next != null && count >= next.count() && due.compareAndSet(next, null)) {
      next.work().run();
    }
  }

  /// Resets every connection that is open now.
  public void resetAll() {
    for (Connection connection : List.copyOf(open)) {
      harmed.incrementAndGet();
      connection.end(true);
    }
  }

  /// From now on nothing passes, on any connection, and nobody is told.
  public void silence() {
    silent = true;
    harmed.addAndGet(open.size());
  }

  /// Resets every connection, and lets those that come pass again.
  public void recover() {
    resetAll();
    silent = false;
  }

  /// From now on, connections are reset as they come, or no longer.
  public void refuse(boolean refuse) {
    refusing = refuse;
  }

  /// Lets whatever stalls go on.
  public void release() {
    open.forEach(connection -> connection.released.countDown());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        int number = accepted.getAndIncrement();
        if (refusing) {
          reset(client);
          continue;
        }
        Socket toServer = new Socket();
        try {
          toServer.connect(server);
        } catch (IOException _) {
          // The server is down: so it looks to the client, too.
          reset(client);
          continue;
        }
        // Else a piece that follows another waits for 40 ms until that is acknowledged.
        client.setTcpNoDelay(true);
        toServer.setTcpNoDelay(true);
        new Connection(client, toServer, faults.apply(number)).start(number);
      } catch (IOException _) {
        // Closed, or a client that has gone before it was accepted.
        Thread.onSpinWait();
      }
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException _) {
      // It has been closed from the other end.
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    new ArrayList<>(open).forEach(connection -> connection.end(true));
  }

  private final class Connection {
    private final Socket client;
    private final Socket toServer;
    private final ConnectionFault fault;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable Socket> talking = new AtomicReference<>();
    private final AtomicBoolean counted = new AtomicBoolean();
    private final AtomicBoolean losesNext = new AtomicBoolean();
    private final CountDownLatch released = new CountDownLatch(1);

    Connection(Socket client, Socket toServer, ConnectionFault fault) {
      this.client = client;
      this.toServer = toServer;
      this.fault = fault;
    }

    void start(int number) {
      open.add(this);
      Thread.ofVirtual().name("up-" + number).start(() -> pass(client, toServer));
      Thread.ofVirtual().name("down-" + number).start(() -> pass(toServer, client));
    }

    private void pass(Socket from, Socket to) {
      byte[] piece = new byte[PIECE_BYTES];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
          FaultyProxy.this.pass(count, from.equals(toServer));
          if (isLost(from, piece, count)) {
            end(true);
            return;
          }
          if (from.equals(client) && isOf(leaving, piece, count)) {
            out.write(piece, 0, count);
            reset(client);
            return;
          }
          if (silent && !isReleased()) {
            return;
          }
          if (fault instanceof ConnectionFault.StallLarge
              && !from.equals(talking.getAndSet(from))) {
            bytes.set(0);
          }
          int unharmed = (int) Math.min(count, Math.max(0, fault.afterBytes() - bytes.get()));
          out.write(piece, 0, unharmed);
          bytes.addAndGet(count);
          if (unharmed < count && !survives(fault)) {
            return;
          }
          out.write(piece, unharmed, count - unharmed);
        }
        endUnlessSilent(false);
      } catch (IOException _) {
        endUnlessSilent(true);
      }
    }

    /// A side has ended, which the other one is not told either while nothing passes.
    private void endUnlessSilent(boolean byReset) {
      if (!silent || isReleased()) {
        end(byReset);
      }
    }

    /// Whether a piece is of an answer that is to be lost.
    private boolean isLost(Socket from, byte[] piece, int length) {
      Loss next = loss.get();
      if (from.equals(client)) {
        if (next != null && next.byRequest() && next.isOf(piece, length)) {
          losesNext.set(true);
        }
        return false;
      }
      boolean isKnown = next != null && !next.byRequest() && next.isOf(piece, length);
      return isKnown || losesNext.get();
    }

    /// Lets the fault happen; whether anything passes afterwards.
    private boolean survives(ConnectionFault due) {
      if (counted.compareAndSet(false, true)) {
        harmed.incrementAndGet();
      }
      return switch (due) {
        case ConnectionFault.None _ -> true;
        case ConnectionFault.Reset _ -> {
          end(true);
          yield false;
        }
        case ConnectionFault.Cut _ -> {
          end(false);
          yield false;
        }
        case ConnectionFault.Stall _, ConnectionFault.StallLarge _ -> isReleased();
        case ConnectionFault.Delay(long _, long millis) -> {
          LockSupport.parkNanos(millis * 1_000_000);
          yield true;
        }
      };
    }

    private boolean isReleased() {
      try {
        released.await();
        return true;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private void end(boolean byReset) {
      open.remove(this);
      released.countDown();
      for (Socket socket : List.of(client, toServer)) {
        if (byReset) {
          reset(socket);
        } else {
          close(socket);
        }
      }
    }

    private static void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException _) {
        // It has been closed from the other end.
        Thread.onSpinWait();
      }
    }
  }
}
