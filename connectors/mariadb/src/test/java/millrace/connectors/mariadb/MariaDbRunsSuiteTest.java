package millrace.connectors.mariadb;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on a real MariaDB.
class MariaDbRunsSuiteTest extends MariaDbFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
