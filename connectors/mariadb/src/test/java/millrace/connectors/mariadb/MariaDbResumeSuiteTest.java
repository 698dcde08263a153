package millrace.connectors.mariadb;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, in a real MariaDB.
class MariaDbResumeSuiteTest extends MariaDbResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {}
