package millrace.connectors.oracle;

import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.KitSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.SourceSuite;

/// What every connector promises of modes, many tables and reading, on the stand-in for Oracle's
/// server.
class OracleSuiteTest extends OracleFixture
    implements ConnectorSuite, KitSuite, ManyTablesSuite, SourceSuite {}
