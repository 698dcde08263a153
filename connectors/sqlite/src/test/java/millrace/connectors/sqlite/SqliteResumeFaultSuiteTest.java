package millrace.connectors.sqlite;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, in an SQLite file.
class SqliteResumeFaultSuiteTest extends SqliteResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
