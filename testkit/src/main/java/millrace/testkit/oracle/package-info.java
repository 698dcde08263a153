/// A stand-in for an Oracle server: Oracle's own JDBC driver logs on to it and works, and so does
/// the thin client of python-oracledb.
///
/// It speaks the wire protocol (TNS and TTC) and keeps the rows in an embedded H2. A call goes this
/// way: `wire` (packets, integers) → `call` (TTC messages) → `engine` (sessions, transactions) →
/// `sql` (Oracle's SQL into H2's, and `catalog`, what the DDL said). `value` has Oracle's formats
/// of values, `dictionary` its views.
///
/// {@link millrace.testkit.oracle.OracleServer} is where to begin.
///
/// Limits that its users must know: fast authentication, distributed transactions, objects and
/// scrollable cursors are not offered. SQL that is not known ends in ORA-00900 or ORA-03001 with
/// its text, never in a guess. PL/SQL is calls of known procedures one after the other; of triggers
/// only those fire that give a column a value if it is null. JSON and VECTOR are bytes that are
/// given back as they came. Names of time zone regions are not kept: such times come back in UTC.
/// Integers divide as Oracle's do, but the difference of two dates is an interval. A query at an
/// SCN needs one that a session has asked for. What a real server says at the end of a direct path
/// load that hurts a unique key is believed, not known: the rows stay and the index becomes
/// unusable, as Oracle's own loader documents.
@NullMarked
package millrace.testkit.oracle;

import org.jspecify.annotations.NullMarked;
