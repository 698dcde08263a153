package millrace.connectors.file;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, into files of JSON Lines.
class JsonLinesResumeFaultSuiteTest extends JsonLinesResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
