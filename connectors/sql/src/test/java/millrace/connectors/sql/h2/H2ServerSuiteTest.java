package millrace.connectors.sql.h2;

import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.SelectionSuite;
import millrace.testkit.suite.SetAsideSuite;
import millrace.testkit.suite.SourceSuite;

/// What every connector promises of modes, many tables and reading, on an H2 server.
class H2ServerSuiteTest extends H2ServerFixture
    implements ConnectorSuite, ManyTablesSuite, SelectionSuite, SetAsideSuite, SourceSuite {}
