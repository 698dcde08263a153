package millrace.connectors.sqlite;

import millrace.testkit.suite.BadRowPlacesSuite;
import millrace.testkit.suite.IncrementalSuite;
import millrace.testkit.suite.LandingSuite;
import millrace.testkit.suite.MergeKeySuite;
import millrace.testkit.suite.MergeSuite;

/// Merges, incremental copies, and where bad rows stand, on SQLite files.
class SqliteMergeSuiteTest extends SqliteFixture
    implements BadRowPlacesSuite, IncrementalSuite, LandingSuite, MergeKeySuite, MergeSuite {}
