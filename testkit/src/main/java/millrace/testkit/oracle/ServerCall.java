package millrace.testkit.oracle;

/// A call at which a fault can be planned.
public enum ServerCall {
  LOGON,
  EXECUTE,
  FETCH,
  COMMIT,
  ROLLBACK,
  LOB_OPERATION,
  DIRECT_PATH_PREPARE,
  DIRECT_PATH_STREAM,
  DIRECT_PATH_FINISH
}
