package millrace.connectors.mariadb;

import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.KitSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.SourceSuite;

/// What every connector promises of modes, many tables and reading, on a real MySQL.
class MySqlSuiteTest extends MySqlFixture
    implements ConnectorSuite, KitSuite, ManyTablesSuite, SourceSuite {}
