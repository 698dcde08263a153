/// Windows that are aggregated by the clock, and again if rows come late.
@NullMarked
package millrace.online.window;

import org.jspecify.annotations.NullMarked;
