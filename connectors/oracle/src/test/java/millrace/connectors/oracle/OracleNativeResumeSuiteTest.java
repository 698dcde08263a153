package millrace.connectors.oracle;

import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Tag;

/// Copies that are killed and go on, by direct path streams.
@Tag("long")
class OracleNativeResumeSuiteTest extends OracleNativeResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {}
