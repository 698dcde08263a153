package millrace.connectors.mariadb;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;
import org.junit.jupiter.api.Tag;

/// Copies that meet faults and go on, in a real MySQL.
@Tag("long")
class MySqlResumeFaultSuiteTest extends MySqlResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
