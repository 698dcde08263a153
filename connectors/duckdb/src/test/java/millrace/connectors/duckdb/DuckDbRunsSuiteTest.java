package millrace.connectors.duckdb;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on DuckDB files.
class DuckDbRunsSuiteTest extends DuckDbFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
