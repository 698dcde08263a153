package millrace.connectors.jdbc;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, in HSQLDB.
class HsqldbResumeFaultSuiteTest extends HsqldbResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
