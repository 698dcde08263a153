package millrace.connectors.duckdb;

import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.SelectionSuite;
import millrace.testkit.suite.SetAsideSuite;
import millrace.testkit.suite.SourceSuite;

/// What every connector promises of modes, many tables and reading, on Parquet files.
class ParquetSuiteTest extends ParquetFixture
    implements ConnectorSuite, ManyTablesSuite, SelectionSuite, SetAsideSuite, SourceSuite {}
