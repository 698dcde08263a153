package millrace.connectors.jdbc;

import millrace.testkit.suite.ColumnNamesSuite;
import millrace.testkit.suite.ConstraintSuite;
import millrace.testkit.suite.ExistingTypesSuite;
import millrace.testkit.suite.TablesSuite;

/// Values, names and types, on H2 by its JDBC driver.
class H2TypesSuiteTest extends H2Fixture
    implements ColumnNamesSuite, ConstraintSuite, ExistingTypesSuite, TablesSuite {}
