package millrace.connectors.file;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, into files of
/// CSV.
class FileResumeChoiceSuiteTest extends FileResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
