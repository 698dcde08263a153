package millrace.connectors.mariadb;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, in a real
/// MariaDB.
class MariaDbResumeChoiceSuiteTest extends MariaDbResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
