/// Clients that write on a schedule, whatever the target does.
@NullMarked
package millrace.online.load;

import org.jspecify.annotations.NullMarked;
