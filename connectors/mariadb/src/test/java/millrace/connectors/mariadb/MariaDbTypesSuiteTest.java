package millrace.connectors.mariadb;

import millrace.testkit.suite.ColumnNamesSuite;
import millrace.testkit.suite.ConstraintSuite;
import millrace.testkit.suite.ExistingTypesSuite;
import millrace.testkit.suite.TablesSuite;

/// Values, names and types, on a real MariaDB.
class MariaDbTypesSuiteTest extends MariaDbFixture
    implements ColumnNamesSuite, ConstraintSuite, ExistingTypesSuite, TablesSuite {}
