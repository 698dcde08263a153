package millrace.connectors.jdbc;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;
import org.junit.jupiter.api.Tag;

/// Copies that meet faults and go on, in H2.
@Tag("long")
class H2ResumeFaultSuiteTest extends H2ResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
