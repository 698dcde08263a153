package millrace.connectors.file;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, into files of JSON Lines.
class JsonLinesResumeSuiteTest extends JsonLinesResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {}
