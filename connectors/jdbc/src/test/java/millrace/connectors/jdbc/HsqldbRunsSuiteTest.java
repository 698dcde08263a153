package millrace.connectors.jdbc;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on HSQLDB by its JDBC driver.
class HsqldbRunsSuiteTest extends HsqldbFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
