package millrace.connectors.kudu;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, in a real cluster of Kudu.
class KuduResumeFaultSuiteTest extends KuduResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
