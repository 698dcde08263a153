package millrace.connectors.mariadb;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;
import org.junit.jupiter.api.Tag;

/// Copies after which the next command, the source or the target is not the same, in a real MySQL.
@Tag("long")
class MySqlResumeChoiceSuiteTest extends MySqlResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
