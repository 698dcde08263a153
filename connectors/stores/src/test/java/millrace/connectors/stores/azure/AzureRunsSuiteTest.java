package millrace.connectors.stores.azure;

import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.OneStateSuite;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Runs that end early, and one state, in blobs. They take long, so they belong to campaigns.
@EnabledIfSystemProperty(named = "millrace.ways", matches = "all")
class AzureRunsSuiteTest extends AzureFixture implements InterruptedRunSuite, OneStateSuite {}
