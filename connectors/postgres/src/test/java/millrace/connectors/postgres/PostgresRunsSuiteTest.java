package millrace.connectors.postgres;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on a real PostgreSQL.
class PostgresRunsSuiteTest extends PostgresFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
