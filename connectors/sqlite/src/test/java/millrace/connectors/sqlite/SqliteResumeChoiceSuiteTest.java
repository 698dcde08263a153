package millrace.connectors.sqlite;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, in an SQLite
/// file.
class SqliteResumeChoiceSuiteTest extends SqliteResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
