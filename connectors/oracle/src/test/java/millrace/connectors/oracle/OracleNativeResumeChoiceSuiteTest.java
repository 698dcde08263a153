package millrace.connectors.oracle;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;
import org.junit.jupiter.api.Tag;

/// Copies after which the next command, the source or the target is not the same, by direct path
/// streams.
@Tag("long")
class OracleNativeResumeChoiceSuiteTest extends OracleNativeResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
