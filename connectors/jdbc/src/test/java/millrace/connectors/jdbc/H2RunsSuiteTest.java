package millrace.connectors.jdbc;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on H2 by its JDBC driver.
class H2RunsSuiteTest extends H2Fixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
