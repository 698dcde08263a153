package millrace.connectors.mariadb;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Tag;

/// Copies that are killed and go on, in a real MySQL.
@Tag("long")
class MySqlResumeSuiteTest extends MySqlResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {}
