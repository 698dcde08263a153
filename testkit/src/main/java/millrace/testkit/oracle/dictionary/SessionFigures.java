package millrace.testkit.oracle.dictionary;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import millrace.testkit.oracle.wire.TrafficCounter;

/// What a session has done, counted for the V$ views. Any thread may read it.
public final class SessionFigures {

  private final TrafficCounter traffic;
  private final LongAdder userCalls = new LongAdder();
  private final LongAdder executions = new LongAdder();
  private final LongAdder parses = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder rollbacks = new LongAdder();
  private final LongAdder rowsFetched = new LongAdder();
  private final LongAdder rowsWritten = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder directBytes = new LongAdder();
  private final LongAdder busyNanos = new LongAdder();

  public SessionFigures() {
    this(new TrafficCounter());
  }

  public SessionFigures(TrafficCounter traffic) {
    this.traffic = traffic;
  }

  public TrafficCounter traffic() {
    return traffic;
  }

  public LongAdder userCalls() {
    return userCalls;
  }

  public LongAdder executions() {
    return executions;
  }

  public LongAdder parses() {
    return parses;
  }

  public LongAdder commits() {
    return commits;
  }

  public LongAdder rollbacks() {
    return rollbacks;
  }

  public LongAdder rowsFetched() {
    return rowsFetched;
  }

  public LongAdder rowsWritten() {
    return rowsWritten;
  }

  /// Executions of INSERT, UPDATE, DELETE and MERGE; one with an array of binds is one.
  public LongAdder writes() {
    return writes;
  }

  /// Bytes of direct path streams.
  public LongAdder directBytes() {
    return directBytes;
  }

  /// How long calls took.
  public LongAdder busyNanos() {
    return busyNanos;
  }

  /// Adds what another session has done.
  public void add(SessionFigures other) {
    traffic.received().addAndGet(other.traffic.received().get());
    traffic.sent().addAndGet(other.traffic.sent().get());
    traffic.roundTrips().addAndGet(other.traffic.roundTrips().get());
    userCalls.add(other.userCalls.sum());
    executions.add(other.executions.sum());
    parses.add(other.parses.sum());
    commits.add(other.commits.sum());
    rollbacks.add(other.rollbacks.sum());
    rowsFetched.add(other.rowsFetched.sum());
    rowsWritten.add(other.rowsWritten.sum());
    writes.add(other.writes.sum());
    directBytes.add(other.directBytes.sum());
    busyNanos.add(other.busyNanos.sum());
  }

  /// What grows with statements that write and with their rows. One real server showed such costs:
  /// rows of 20 bytes, written one by one and in batches of 100.
  long modelled(double aStatement, double aRow) {
    return Math.round(aStatement * writes.sum() + aRow * rowsWritten.sum());
  }

  /// The figures by the names that V$STATNAME has for them; the order gives their numbers.
  Map<String, Long> byName() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("user commits", commits.sum());
    all.put("user rollbacks", rollbacks.sum());
    all.put("user calls", userCalls.sum());
    all.put("execute count", executions.sum());
    all.put("parse count (total)", parses.sum());
    all.put("parse count (hard)", parses.sum());
    all.put("DB time", busyNanos.sum() / 10_000_000);
    all.put("CPU used by this session", busyNanos.sum() / 10_000_000);
    all.put("bytes received via SQL*Net from client", traffic.received().get());
    all.put("bytes sent via SQL*Net to client", traffic.sent().get());
    all.put("SQL*Net roundtrips to/from client", traffic.roundTrips().get());
    all.put("redo size", modelled(230, 33));
    all.put("redo entries", modelled(1, 0.02));
    all.put("undo change vector size", modelled(66, 2.7));
    all.put("db block changes", modelled(2, 0.026));
    all.put("db block gets", modelled(1, 0.035));
    all.put("db block gets from cache", modelled(1, 0.035));
    all.put("redo size for direct writes", 0L);
    all.put("physical writes direct", directBytes.sum() / 8192);
    all.put("physical write total bytes", directBytes.sum());
    all.put("table scan rows gotten", rowsFetched.sum());
    all.put("session logical reads", rowsFetched.sum() / 10 + rowsWritten.sum() / 10);
    all.put("consistent gets", rowsFetched.sum() / 10);
    all.put("physical reads", 0L);
    all.put("enqueue waits", 0L);
    return all;
  }
}
