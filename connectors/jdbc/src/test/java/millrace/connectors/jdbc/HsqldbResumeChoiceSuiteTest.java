package millrace.connectors.jdbc;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, in HSQLDB.
class HsqldbResumeChoiceSuiteTest extends HsqldbResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
