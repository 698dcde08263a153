/// MariaDB and MySQL servers. Here is what only they have; the rest is in
/// `millrace.connectors.sql`.
@NullMarked
package millrace.connectors.mariadb;

import org.jspecify.annotations.NullMarked;
