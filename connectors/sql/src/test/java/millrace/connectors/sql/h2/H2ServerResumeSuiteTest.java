package millrace.connectors.sql.h2;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, by several sessions of H2.
class H2ServerResumeSuiteTest extends H2ServerResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {}
