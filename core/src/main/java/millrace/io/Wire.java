package millrace.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import millrace.spi.Counters.Count;
import millrace.spi.Counters.Scope;

/// Counts what crosses the connections of one end, as it crosses: if a connection is encrypted, the
/// encrypted bytes. A connection whose socket is hidden in a client is counted by what its messages
/// had, as far as that is seen. Any thread.
public final class Wire {

  private static final String GROUP = "wire";

  private final LongAdder calls = new LongAdder();
  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder answerNanos = new LongAdder();
  private final LongAdder delayNanos = new LongAdder();
  private final LongAccumulator shortestNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();

  /// The server has been asked for something: a statement, a batch of rows.
  public void called() {
    calls.increment();
  }

  /// A message of so many bytes has been sent on a connection whose socket is hidden.
  public void messageSent(long bytes) {
    sent.add(bytes);
  }

  /// An answer to it begins to arrive: the direction has changed.
  ///
  /// @param nanos how long it was waited for
  public void answered(long nanos) {
    roundTrips.increment();
    answerNanos.add(nanos);
    shortestNanos.accumulate(nanos);
    delayNanos.add(shortestNanos.get());
  }

  /// So many bytes of an answer have arrived.
  public void answerReceived(long bytes) {
    received.add(bytes);
  }

  /// The counters: `calls`; `round_trips`, which are changes of direction, from sending to
  /// receiving; `answer_us`, for how many microseconds answers were waited for, from the last byte
  /// handed to the system to the first received; `delay_us`, the same if each had taken no longer
  /// than the shortest before it, that is without the time that bytes and the server took;
  /// `bytes_sent`; `bytes_received`.
  public List<Count> counts() {
    return List.of(
        new Count(GROUP, "calls", Scope.RUN, calls.sum()),
        new Count(GROUP, "round_trips", Scope.RUN, roundTrips.sum()),
        new Count(GROUP, "answer_us", Scope.RUN, answerNanos.sum() / 1_000),
        new Count(GROUP, "delay_us", Scope.RUN, delayNanos.sum() / 1_000),
        new Count(GROUP, "bytes_sent", Scope.RUN, sent.sum()),
        new Count(GROUP, "bytes_received", Scope.RUN, received.sum()));
  }

  /// One connection. One thread at a time reads and writes it.
  public final class Line {

    private volatile boolean sending;
    private volatile long sentNanos;

    /// A stream that counts what is read.
    public InputStream counted(InputStream in) {
      return new Received(in, this);
    }

    /// A stream that counts what is written.
    public OutputStream counted(OutputStream out) {
      return new Sent(out, this);
    }

    private void sent(int bytes) {
      sentNanos = System.nanoTime();
      sending = true;
      sent.add(bytes);
    }

    private void received(int bytes) {
      if (sending) {
        sending = false;
        answered(System.nanoTime() - sentNanos);
      }
      received.add(bytes);
    }
  }

  private static final class Received extends InputStream {
    private final InputStream in;
    private final Line line;

    Received(InputStream in, Line line) {
      this.in = in;
      this.line = line;
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      if (value >= 0) {
        line.received(1);
      }
      return value;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int count = in.read(into, from, length);
      if (count > 0) {
        line.received(count);
      }
      return count;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private static final class Sent extends OutputStream {
    private final OutputStream out;
    private final Line line;

    Sent(OutputStream out, Line line) {
      this.out = out;
      this.line = line;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      line.sent(1);
    }

    @Override
    public void write(byte[] from, int start, int length) throws IOException {
      out.write(from, start, length);
      line.sent(length);
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
