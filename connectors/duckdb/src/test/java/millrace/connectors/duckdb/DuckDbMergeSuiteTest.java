package millrace.connectors.duckdb;

import millrace.testkit.suite.BadRowPlacesSuite;
import millrace.testkit.suite.LandingSuite;
import millrace.testkit.suite.MergeKeySuite;
import millrace.testkit.suite.MergeSuite;

/// Merges, incremental copies, and where bad rows stand, on DuckDB files.
class DuckDbMergeSuiteTest extends DuckDbFixture
    implements BadRowPlacesSuite, LandingSuite, MergeKeySuite, MergeSuite {}
