package millrace.connectors.stores.azure;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;
import org.junit.jupiter.api.Tag;

/// Copies after which the next command, the source or the target is not the same, into blobs.
@Tag("long")
class AzureResumeChoiceSuiteTest extends AzureFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
