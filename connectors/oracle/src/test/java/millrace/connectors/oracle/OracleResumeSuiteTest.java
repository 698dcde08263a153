package millrace.connectors.oracle;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Tag;

/// Copies that are killed and go on, in the stand-in for Oracle's server.
@Tag("long")
class OracleResumeSuiteTest extends OracleResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {}
