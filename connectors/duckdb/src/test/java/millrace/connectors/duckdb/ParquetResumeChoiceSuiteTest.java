package millrace.connectors.duckdb;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, into Parquet
/// files.
class ParquetResumeChoiceSuiteTest extends ParquetResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
