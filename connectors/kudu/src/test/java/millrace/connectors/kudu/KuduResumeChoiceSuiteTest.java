package millrace.connectors.kudu;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, in a real cluster
/// of Kudu.
class KuduResumeChoiceSuiteTest extends KuduResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
