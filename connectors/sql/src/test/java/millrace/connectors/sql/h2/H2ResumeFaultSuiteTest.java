package millrace.connectors.sql.h2;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;
import org.junit.jupiter.api.Tag;

/// Copies that meet faults and go on, in an H2 file.
@Tag("long")
class H2ResumeFaultSuiteTest extends H2ResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
