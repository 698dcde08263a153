package millrace.connectors.duckdb;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on Parquet files.
class ParquetRunsSuiteTest extends ParquetFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
