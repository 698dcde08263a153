package millrace.testkit.oracle.call;

import millrace.testkit.oracle.ServerFaults;
import millrace.testkit.oracle.ServerLog;
import millrace.testkit.oracle.engine.OraDatabase;

/// What all sessions of one server share.
public record ServerContext(
    OraDatabase database, String service, ServerLog log, ServerFaults faults) {}
