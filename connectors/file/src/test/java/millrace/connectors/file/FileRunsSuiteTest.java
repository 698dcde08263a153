package millrace.connectors.file;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;

/// Runs that end early, kept definitions, and one state, on files of text.
class FileRunsSuiteTest extends FileFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {}
