package millrace.connectors.sql.h2;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on an H2 server.
class H2ServerRunsSuiteTest extends H2ServerFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
