package millrace.connectors.jdbc;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on Derby by its JDBC driver.
class DerbyRunsSuiteTest extends DerbyFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
