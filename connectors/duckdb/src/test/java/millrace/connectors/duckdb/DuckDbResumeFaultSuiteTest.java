package millrace.connectors.duckdb;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, in a DuckDB file.
class DuckDbResumeFaultSuiteTest extends DuckDbResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
