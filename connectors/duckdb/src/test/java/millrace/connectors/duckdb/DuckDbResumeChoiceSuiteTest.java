package millrace.connectors.duckdb;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, in a DuckDB file.
class DuckDbResumeChoiceSuiteTest extends DuckDbResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
