/// TNS packets on a socket, and the integers and byte strings of TTC inside them.
///
/// The formats are those that Oracle's open thin driver for Python (python-oracledb) describes, and
/// that the JDBC driver was seen to send and to accept.
@NullMarked
package millrace.testkit.oracle.wire;

import org.jspecify.annotations.NullMarked;
