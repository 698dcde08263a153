package millrace.connectors.stores.azure;

import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumeFaultSuite;

/// Copies that meet faults and go on, into blobs.
class AzureResumeFaultSuiteTest extends AzureFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {}
