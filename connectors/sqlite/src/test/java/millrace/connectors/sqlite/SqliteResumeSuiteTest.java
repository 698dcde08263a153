package millrace.connectors.sqlite;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.DatabaseFileResumeSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, in an SQLite file.
class SqliteResumeSuiteTest extends SqliteResumeFixture
    implements DatabaseFileResumeSuite, ClusterSuite, JoinSuite, ResumeSuite {}
