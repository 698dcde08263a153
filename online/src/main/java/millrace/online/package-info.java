/// Writes on a schedule while windows are aggregated, and tells whether the target keeps up.
@NullMarked
package millrace.online;

import org.jspecify.annotations.NullMarked;
