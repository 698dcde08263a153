package millrace.connectors.postgres;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, in a real
/// PostgreSQL.
class PostgresResumeChoiceSuiteTest extends PostgresResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
