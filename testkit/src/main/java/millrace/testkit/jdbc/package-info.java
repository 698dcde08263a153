/// A JDBC driver that fails on purpose, over a real one.
@NullMarked
package millrace.testkit.jdbc;

import org.jspecify.annotations.NullMarked;
