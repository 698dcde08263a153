package millrace.connectors.mariadb;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, in a real MariaDB.
class MariaDbResumeFaultSuiteTest extends MariaDbResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
