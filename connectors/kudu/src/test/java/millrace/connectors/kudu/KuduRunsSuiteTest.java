package millrace.connectors.kudu;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on a real Kudu.
class KuduRunsSuiteTest extends KuduFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
