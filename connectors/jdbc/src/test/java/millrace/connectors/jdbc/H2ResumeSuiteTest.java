package millrace.connectors.jdbc;

import millrace.testkit.suite.DatabaseFileResumeSuite;
import millrace.testkit.suite.ResumeSuite;

/// Copies that are killed and go on, in H2.
class H2ResumeSuiteTest extends H2ResumeFixture implements DatabaseFileResumeSuite, ResumeSuite {}
