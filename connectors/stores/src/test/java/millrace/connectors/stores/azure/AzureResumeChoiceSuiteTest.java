package millrace.connectors.stores.azure;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, into blobs.
class AzureResumeChoiceSuiteTest extends AzureFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
