package millrace.testkit.oracle.call;

import org.jspecify.annotations.Nullable;

/// What a client can call, by the number in a function message or a piggyback.
enum TtcFunction {
  REEXECUTE(4),
  FETCH(5),
  LOGOFF(9),
  COMMIT(14),
  ROLLBACK(15),
  VERSION(59),
  REEXECUTE_AND_FETCH(78),
  EXECUTE(94),
  LOB_OPERATION(96),
  /// Tells what a query would return, or how many binds a statement has.
  DESCRIBE(98),
  CLOSE_CURSORS(105),
  AUTH_TWO(115),
  AUTH_ONE(118),
  CANCEL_CURSORS(120),
  DIRECT_PATH_PREPARE(128),
  DIRECT_PATH_STREAM(129),
  DIRECT_PATH_OPERATION(130),
  END_TO_END(135),
  PING(147),
  SET_SCHEMA(152),
  CLIENT_STATISTICS(191);

  private final int code;

  TtcFunction(int code) {
    this.code = code;
  }

  static @Nullable TtcFunction of(int code) {
    for (TtcFunction function : values()) {
      if (function.code == code) {
        return function;
      }
    }
    return null;
  }
}
