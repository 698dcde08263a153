package millrace.testkit.oracle.call;

import java.io.IOException;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import org.jspecify.annotations.Nullable;

/// The head of an execute (OALL8): what is to be done with which cursor.
///
/// @param cursor 0 for a new one
/// @param sql null if the cursor's statement is executed again
/// @param prefetch how many rows may come with the answer
/// @param iterations rows of binds, or rows to fetch
record ExecuteRequest(
    long options,
    int cursor,
    @Nullable String sql,
    int prefetch,
    int binds,
    int defines,
    boolean countsWanted,
    int iterations) {

  private static final int EXECUTE = 0x20;
  private static final int FETCH = 0x40;
  private static final int COMMIT = 0x100;
  private static final int BATCH_ERRORS = 0x80000;

  static ExecuteRequest read(TtcInput in, ClientDialect dialect)
      throws IOException, BreakException {
    long options = in.ubLong();
    int cursor = in.ub();
    in.pointer();
    int sqlBytes = in.ub();
    in.pointer();
    int numbers = in.ub();
    in.skip(2);
    in.ub();
    int prefetch = in.ub();
    in.ub();
    in.pointer();
    int binds = in.ub();
    in.skip(5);
    in.pointer();
    int defines = in.ub();
    in.ub();
    in.skip(3);
    in.ub();
    in.u1();
    in.ubs(2);
    boolean countsWanted = in.pointer();
    in.ub();
    in.u1();
    // SQL signature, SQL id and chunk ids, which the driver leaves out.
    in.u1();
    in.ub();
    in.u1();
    in.ub();
    in.skip(2);
    in.ub();
    String sql = sqlBytes == 0 ? null : dialect.text(in, sqlBytes);
    long[] values = in.ubs(numbers);
    return new ExecuteRequest(
        options, cursor, sql, prefetch, binds, defines, countsWanted, (int) values[1]);
  }

  /// A statement is executed again with the binds described as they were.
  static ExecuteRequest again(int cursor, int iterations, boolean fetch) {
    long options = EXECUTE | (fetch ? FETCH : 0);
    return new ExecuteRequest(
        options, cursor, null, fetch ? iterations : 0, 0, 0, false, iterations);
  }

  /// Whether it is more than a parse or a fetch.
  boolean executes() {
    return (options & EXECUTE) != 0;
  }

  boolean fetches() {
    return (options & FETCH) != 0;
  }

  boolean commits() {
    return (options & COMMIT) != 0;
  }

  /// Whether errors of single rows do not end the call.
  boolean keepsGoing() {
    return (options & BATCH_ERRORS) != 0;
  }
}
