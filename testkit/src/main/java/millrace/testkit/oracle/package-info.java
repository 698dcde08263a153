/// A stand-in for an Oracle server: Oracle's own JDBC driver logs on to it and works.
///
/// It speaks the wire protocol (TNS and TTC) and keeps the rows in an embedded H2. A call goes this
/// way: `wire` (packets, integers) → `call` (TTC messages) → `engine` (sessions, transactions) →
/// `sql` (Oracle's SQL into H2's, and `catalog`, what the DDL said). `value` has Oracle's formats
/// of values, `dictionary` its views.
///
/// {@link millrace.testkit.oracle.OracleServer} is where to begin.
@NullMarked
package millrace.testkit.oracle;

import org.jspecify.annotations.NullMarked;
