/// What all systems with SQL over JDBC share: names, a table of types, ranges of keys, reading,
/// writing with bad rows set aside, loads in one transaction or in parts, a journal, and a table of
/// faults.
///
/// A connector brings a {@link millrace.connectors.sql.Dialect}: data, and up to four roles. It
/// composes {@link millrace.connectors.sql.read.SqlSource} and {@link
/// millrace.connectors.sql.write.SqlTarget}. Nothing here is extended.
///
/// Rows go this way: `SqlTarget` settles a load (`SqlLoad`), and its `WayIn` opens a session: a
/// walk over a `SqlPlace`, whole or in parts as the landing says, or the database's own. That has a
/// writer for each lane, and each writer a `RowSink`, which a `LoadMethod` makes: inserts, or the
/// system's fast way.
@NullMarked
package millrace.connectors.sql;

import org.jspecify.annotations.NullMarked;
