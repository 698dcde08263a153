/// What all systems with SQL over JDBC share: names, a table of types, ranges of keys, reading,
/// writing with bad rows set aside, loads in one transaction, a journal, and a table of faults.
///
/// A connector brings a {@link millrace.connectors.sql.Dialect} and composes {@link
/// millrace.connectors.sql.SqlSource} and {@link millrace.connectors.sql.SqlTarget}. Nothing here
/// is extended.
@NullMarked
package millrace.connectors.sql;

import org.jspecify.annotations.NullMarked;
