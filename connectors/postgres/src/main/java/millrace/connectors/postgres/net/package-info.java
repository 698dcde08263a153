/// Connections to a server: addresses, passwords, sockets, sessions, faults.
@NullMarked
package millrace.connectors.postgres.net;

import org.jspecify.annotations.NullMarked;
