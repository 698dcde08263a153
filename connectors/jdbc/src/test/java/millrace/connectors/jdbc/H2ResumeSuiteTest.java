package millrace.connectors.jdbc;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.DatabaseFileResumeSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Tag;

/// Copies that are killed and go on, in H2.
@Tag("long")
class H2ResumeSuiteTest extends H2ResumeFixture
    implements DatabaseFileResumeSuite, ClusterSuite, JoinSuite, ResumeSuite {}
