package millrace.connectors.sql.h2;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, by several sessions of H2.
class H2ServerResumeFaultSuiteTest extends H2ServerResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
