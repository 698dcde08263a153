package millrace.connectors.file;

import millrace.testkit.suite.ClusterSuite;

/// Copies that several processes write to, into a compressed file for each split.
class PackedPerSplitClusterSuiteTest extends PerSplitFixture implements ClusterSuite {

  @Override
  String ending() {
    return ".csv.zst";
  }
}
