package millrace.connectors.sql.h2;

import millrace.testkit.suite.ColumnNamesSuite;
import millrace.testkit.suite.ConstraintSuite;
import millrace.testkit.suite.ExistingTypesSuite;
import millrace.testkit.suite.TablesSuite;

/// Values, names and types, on an H2 server.
class H2ServerTypesSuiteTest extends H2ServerFixture
    implements ColumnNamesSuite, ConstraintSuite, ExistingTypesSuite, TablesSuite {}
