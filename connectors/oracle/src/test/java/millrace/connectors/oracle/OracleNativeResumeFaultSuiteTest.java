package millrace.connectors.oracle;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;
import org.junit.jupiter.api.Tag;

/// Copies that meet faults and go on, by direct path streams.
@Tag("long")
class OracleNativeResumeFaultSuiteTest extends OracleNativeResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
