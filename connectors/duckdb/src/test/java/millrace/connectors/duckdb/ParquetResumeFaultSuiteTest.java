package millrace.connectors.duckdb;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, into Parquet files.
class ParquetResumeFaultSuiteTest extends ParquetResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
