/// Any database whose JDBC driver the user has.
@NullMarked
package millrace.connectors.jdbc;

import org.jspecify.annotations.NullMarked;
