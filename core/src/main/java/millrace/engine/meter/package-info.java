/// What a run counts while it lasts.
@NullMarked
package millrace.engine.meter;

import org.jspecify.annotations.NullMarked;
