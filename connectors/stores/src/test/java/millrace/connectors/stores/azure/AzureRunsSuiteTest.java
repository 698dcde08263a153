package millrace.connectors.stores.azure;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.OneStateSuite;
import org.junit.jupiter.api.Tag;

/// Runs that end early, and one state, in blobs. They take long, so they belong to campaigns.
@Tag("long")
class AzureRunsSuiteTest extends AzureFixture implements InterruptedRunSuite, OneStateSuite {}
