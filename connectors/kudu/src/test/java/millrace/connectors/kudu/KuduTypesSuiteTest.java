package millrace.connectors.kudu;

import millrace.testkit.suite.ColumnNamesSuite;
import millrace.testkit.suite.ConstraintSuite;
import millrace.testkit.suite.ExistingTypesSuite;
import millrace.testkit.suite.TablesSuite;

/// Values, names and types, on a real Kudu.
class KuduTypesSuiteTest extends KuduFixture
    implements ColumnNamesSuite, ConstraintSuite, ExistingTypesSuite, TablesSuite {}
