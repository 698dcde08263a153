/// Files, programs and sockets, as several connectors use them.
@NullMarked
package millrace.io;

import org.jspecify.annotations.NullMarked;
