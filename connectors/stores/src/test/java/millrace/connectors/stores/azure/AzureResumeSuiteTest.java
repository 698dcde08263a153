package millrace.connectors.stores.azure;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, into blobs.
class AzureResumeSuiteTest extends AzureFixture implements ClusterSuite, JoinSuite, ResumeSuite {}
