package millrace.connectors.jdbc;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.DatabaseFileResumeSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, in HSQLDB.
class HsqldbResumeSuiteTest extends HsqldbResumeFixture
    implements DatabaseFileResumeSuite, ClusterSuite, JoinSuite, ResumeSuite {}
