package millrace.connectors.jdbc;

import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.KitSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.SourceSuite;

/// What every connector promises of modes, many tables and reading, on H2 by its JDBC driver.
class H2SuiteTest extends H2Fixture
    implements ConnectorSuite, KitSuite, ManyTablesSuite, SourceSuite {}
