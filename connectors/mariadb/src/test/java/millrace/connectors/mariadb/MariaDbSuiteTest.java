package millrace.connectors.mariadb;

import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.KitSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.SourceSuite;

/// What every connector promises of modes, many tables and reading, on a real MariaDB.
class MariaDbSuiteTest extends MariaDbFixture
    implements ConnectorSuite, KitSuite, ManyTablesSuite, SourceSuite {}
