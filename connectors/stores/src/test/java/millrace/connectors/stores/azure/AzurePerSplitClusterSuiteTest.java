package millrace.connectors.stores.azure;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;

/// Copies into a blob for each split, which several processes write.
class AzurePerSplitClusterSuiteTest extends AzurePerSplitFixture
    implements ClusterSuite, JoinSuite {}
