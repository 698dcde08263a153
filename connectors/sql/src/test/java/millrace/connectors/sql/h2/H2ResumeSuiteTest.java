package millrace.connectors.sql.h2;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.DatabaseFileResumeSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, in an H2 file.
class H2ResumeSuiteTest extends H2ResumeFixture
    implements DatabaseFileResumeSuite, ClusterSuite, JoinSuite, ResumeSuite {}
