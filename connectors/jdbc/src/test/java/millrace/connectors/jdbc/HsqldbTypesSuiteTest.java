package millrace.connectors.jdbc;

import millrace.testkit.suite.ColumnNamesSuite;
import millrace.testkit.suite.ConstraintSuite;
import millrace.testkit.suite.ExistingTypesSuite;
import millrace.testkit.suite.TablesSuite;

/// Values, names and types, on HSQLDB by its JDBC driver.
class HsqldbTypesSuiteTest extends HsqldbFixture
    implements ColumnNamesSuite, ConstraintSuite, ExistingTypesSuite, TablesSuite {}
