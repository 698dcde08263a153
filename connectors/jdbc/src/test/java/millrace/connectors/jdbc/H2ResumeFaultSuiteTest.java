package millrace.connectors.jdbc;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, in H2.
class H2ResumeFaultSuiteTest extends H2ResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
