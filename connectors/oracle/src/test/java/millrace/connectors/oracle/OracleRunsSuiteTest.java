package millrace.connectors.oracle;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on the stand-in for Oracle's server.
class OracleRunsSuiteTest extends OracleFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
