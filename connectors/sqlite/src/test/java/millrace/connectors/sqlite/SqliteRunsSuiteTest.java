package millrace.connectors.sqlite;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on SQLite files.
class SqliteRunsSuiteTest extends SqliteFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
