package millrace.connectors.oracle;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;
import org.junit.jupiter.api.Tag;

/// Copies that meet faults and go on, in the stand-in for Oracle's server.
@Tag("long")
class OracleResumeFaultSuiteTest extends OracleResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
