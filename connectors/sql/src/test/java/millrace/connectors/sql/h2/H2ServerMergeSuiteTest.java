package millrace.connectors.sql.h2;

import millrace.testkit.suite.BadRowPlacesSuite;
import millrace.testkit.suite.IncrementalSuite;
import millrace.testkit.suite.LandingSuite;
import millrace.testkit.suite.MergeKeySuite;
import millrace.testkit.suite.MergeSuite;

/// Merges, incremental copies, and where bad rows stand, on an H2 server.
class H2ServerMergeSuiteTest extends H2ServerFixture
    implements BadRowPlacesSuite, IncrementalSuite, LandingSuite, MergeKeySuite, MergeSuite {}
