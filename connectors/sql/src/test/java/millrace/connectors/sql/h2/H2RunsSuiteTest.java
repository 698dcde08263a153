package millrace.connectors.sql.h2;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on an H2 of this process.
class H2RunsSuiteTest extends H2Fixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
