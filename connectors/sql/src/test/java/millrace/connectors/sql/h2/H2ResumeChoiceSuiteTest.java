package millrace.connectors.sql.h2;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;
import org.junit.jupiter.api.Tag;

/// Copies after which the next command, the source or the target is not the same, in an H2 file.
@Tag("long")
class H2ResumeChoiceSuiteTest extends H2ResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
