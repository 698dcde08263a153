package millrace.connectors.stores.azure;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeFaultSuite;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Tag;

/// Copies that are killed and go on, into a blob for each split. They take long, so they belong to
/// campaigns.
@Tag("long")
class AzurePerSplitSuiteTest extends AzurePerSplitFixture
    implements ConnectionFaultSuite,
        InterruptedRunSuite,
        ResumeChoiceSuite,
        ResumeFaultSuite,
        ResumeSuite {}
