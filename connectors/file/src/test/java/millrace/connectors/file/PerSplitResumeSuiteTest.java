package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, and that several processes write to, into a file for each
/// split.
class PerSplitResumeSuiteTest extends PerSplitFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {

  /// Nor is there anything of attempts that were late or lost.
  @Override
  public void holdsAll(Way way) {
    JoinSuite.super.holdsAll(way);
    assertThat(leftovers("joined")).as("left behind").isEmpty();
  }
}
